"use strict";
const element = (id) => document.getElementById(id);
const canvas = element("board"), context = canvas.getContext("2d");
const LAYERS = ["moves", "mines", "risks", "proof", "sent", "reading"];
const KEYS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };
const LONGEST = 2 ** 31 - 1; // milliseconds: a browser waits for no longer
let game = null, place = 0, timer = null, asked = 0;

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

function image(packed) {
  return new Promise((done, failed) => {
    const picture = new Image();
    picture.onload = () => done(picture);
    picture.onerror = failed;
    picture.src = "data:image/png;base64," + packed;
  });
}

async function loaded(number) {
  const script = document.querySelector(`script.game[data-number="${number}"]`);
  const values = await unpacked(script.textContent);
  const layers = Object.values(values.films).flat();
  await Promise.all(layers.map(async (layer) => { layer[4] = await image(layer[4]); }));
  values.looks = values.final ? [...values.rounds, values.final] : values.rounds;
  return values;
}

async function choose(number, round) {
  const mine = ++asked, values = await loaded(number);
  if (mine !== asked) return; // another game was asked for meanwhile
  game = values;
  element("game").value = number;
  element("round").max = Math.max(0, game.looks.length - 1);
  show(round);
}

function show(round) {
  if (!game.looks.length) {
    element("words").textContent = "no round was played";
    return;
  }
  place = Math.max(0, Math.min(round, game.looks.length - 1));
  element("round").value = place;
  const look = game.looks[place];
  element("where").textContent = look.decision ? `round ${look.number} of ${game.rounds.length}` : "the end";
  draw(look);
  tell(look);
  history.replaceState(null, "", `#game=${game.number}&round=${place + 1}`);
  document.body.dataset.shown = `${game.number}/${place + 1}`;
}

function draw(look) {
  const [film, number] = look.picture, layers = game.films[film];
  if (!layers.length || number >= layers.length) {
    canvas.width = 420; canvas.height = 60;
    context.font = "14px sans-serif"; context.fillStyle = "#c8553d";
    context.fillText("the picture of this round is missing", 12, 34);
    return;
  }
  const scale = layers[0][2] < 620 ? 2 : 1;
  canvas.width = layers[0][2] * scale; canvas.height = layers[0][3] * scale;
  context.imageSmoothingEnabled = false;
  context.scale(scale, scale);
  for (const [x, y, , , picture] of layers.slice(0, number + 1)) context.drawImage(picture, x, y);
  const wanted = Object.fromEntries(LAYERS.map((name) => [name, element(name).checked]));
  if (wanted.reading) drawReading(look);
  if (look.decision) drawDecision(look, wanted);
}

function box(look, [row, col]) {
  const [x, y, width, height] = look.grid;
  return [x + col * width, y + row * height, width, height];
}

function fill(look, cell, colour) {
  context.fillStyle = colour;
  context.fillRect(...box(look, cell));
}

function write(look, cell, text, colour, size = 0.6) {
  const [x, y, width, height] = box(look, cell);
  context.font = `bold ${Math.round(height * size)}px sans-serif`;
  context.textAlign = "center"; context.textBaseline = "middle";
  context.lineWidth = 2; context.strokeStyle = "#fffc"; context.fillStyle = colour;
  context.strokeText(text, x + width / 2, y + height / 2 + 0.5);
  context.fillText(text, x + width / 2, y + height / 2 + 0.5);
}

function drawDecision(look, wanted) {
  const decision = look.decision;
  if (wanted.risks)
    for (const [risk, cells] of decision.risks)
      for (const cell of cells)
        if (risk > 0 && risk < 1) {
          fill(look, cell, `hsla(${120 * (1 - Math.min(1, 2 * risk))}, 90%, 45%, .45)`);
          write(look, cell, Math.round(100 * risk), "#222", 0.45);
        }
  if (wanted.mines) for (const cell of decision.mines) cross(look, cell);
  if (wanted.proof) for (const cell of look.numbers) frame(look, cell);
  if (wanted.moves) for (const [row, col] of decision.moves) fill(look, [row, col], "#3cc83c66");
  if (wanted.moves) look.clicks.forEach(([row, col, action, risk], number) => {
    fill(look, [row, col], risk > 0 ? "#ffa50099" : "#3cc83c99");
    const mark = { flag: "⚑", chord: "◎" }[action] || (risk > 0 ? Math.round(100 * risk) : number + 1);
    write(look, [row, col], mark, "#000", risk > 0 || number > 98 ? 0.45 : 0.55);
  });
  if (wanted.sent) for (const sent of look.sent) if (sent.length === 4) dot(look, sent);
}

function cross(look, cell) {
  const [x, y, width, height] = box(look, cell);
  context.strokeStyle = "#e03030"; context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x + width * 0.25, y + height * 0.25); context.lineTo(x + width * 0.75, y + height * 0.75);
  context.moveTo(x + width * 0.75, y + height * 0.25); context.lineTo(x + width * 0.25, y + height * 0.75);
  context.stroke();
}

function frame(look, cell) {
  const [x, y, width, height] = box(look, cell);
  context.strokeStyle = "#2b6cff"; context.lineWidth = 2;
  context.strokeRect(x + 1, y + 1, width - 2, height - 2);
}

function dot(look, [, x, y]) {
  context.fillStyle = "#d000d0";
  context.beginPath();
  context.arc(x - look.origin[0] + 0.5, y - look.origin[1] + 0.5, 2.5, 0, 7);
  context.fill();
}

function drawReading(look) {
  look.cells.forEach((line, row) => [...line].forEach((state, col) => {
    fill(look, [row, col], "#ffffffcc");
    write(look, [row, col], state, "#000");
  }));
}

function line(text) {
  const paragraph = document.createElement("p");
  paragraph.textContent = text;
  element("words").append(paragraph);
}

function tell(look) {
  element("words").replaceChildren();
  const left = look.mines_left === null ? "" : `, ${look.mines_left} mines left`;
  line(`${look.time.toFixed(3)} s: ${look.state}${left}`);
  if (look.doubt) line(`not believed: ${look.doubt}`);
  const decision = look.decision;
  if (!decision) {
    const result = game.result;
    if (result) line(`${result.outcome} in ${result.seconds.toFixed(2)} s, ${result.clicks} clicks`);
    if (result && result.concluded) line(result.concluded);
    return;
  }
  line(`${look.short}; decided in ${(1000 * (look.decided - look.time)).toFixed(1)} ms`);
  if (look.why) line(look.why);
  for (const [row, col, risk, score] of decision.alternatives || [])
    line(`row ${row}, column ${col}: risk ${(100 * risk).toFixed(1)} %` +
      (score === null ? "" : `, wins ${(100 * score).toFixed(1)} % as often`));
  const kinds = {};
  for (const [, , action] of look.clicks) kinds[action] = (kinds[action] || 0) + 1;
  line("clicks: " + Object.entries(kinds).map(([name, count]) => `${count} ${name}`).join(", ") +
    (look.sent.length ? `, sent in ${(1000 * (look.sent.at(-1)[0] - look.decided)).toFixed(0)} ms` : ""));
}

function play() {
  if (timer) { stop(); return; }
  if (place + 1 >= game.looks.length) show(0);
  element("play").textContent = "stop";
  wait();
}

function wait() {
  if (place + 1 >= game.looks.length) { stop(); return; }
  const pace = Number(element("pace").value); // seconds for which a round is shown; 0: as long as it took
  const seconds = pace || game.looks[place + 1].time - game.looks[place].time;
  timer = setTimeout(() => { show(place + 1); wait(); }, Math.min(Math.max(10, 1000 * seconds), LONGEST));
}

function step(by) {
  stop();
  show(place + by);
}

function stop() {
  clearTimeout(timer);
  timer = null;
  element("play").textContent = "play";
}

function asLinked() {
  const wanted = new URLSearchParams(location.hash.slice(1)), numbers = [...element("game").options];
  if (!numbers.length) return;
  const number = wanted.get("game") || numbers[0].value, round = Number(wanted.get("round") || 1) - 1;
  if (game && String(game.number) === number) show(round);
  else if (numbers.some((one) => one.value === number)) choose(number, round);
}

function begin() {
  for (const script of document.querySelectorAll("script.game")) {
    const option = document.createElement("option");
    option.value = script.dataset.number;
    option.textContent = `${script.dataset.number}, ${script.dataset.outcome}`;
    element("game").append(option);
  }
  if (!element("game").options.length) return;
  if (!("DecompressionStream" in window)) {
    element("viewer").hidden = false;
    element("words").textContent = "this browser is too old to show the rounds";
    return;
  }
  element("viewer").hidden = false;
  element("game").onchange = (event) => { stop(); choose(event.target.value, 0); };
  element("round").oninput = (event) => { stop(); show(Number(event.target.value)); };
  for (const button of document.querySelectorAll("button[data-key]"))
    button.onclick = () => step(KEYS[button.dataset.key]);
  element("play").onclick = play;
  for (const name of LAYERS) element(name).onchange = () => show(place);
  document.onkeydown = (event) => {
    if (event.target.tagName === "SELECT" || event.target.type === "range") return;
    if (event.key in KEYS) { event.preventDefault(); step(KEYS[event.key]); }
    if (event.key === " " && event.target.tagName !== "BUTTON") { event.preventDefault(); play(); }
  };
  window.onhashchange = asLinked;
  asLinked();
}

begin();
