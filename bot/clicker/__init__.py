"""Turn moves into clicks and send them: nearest first, at a pace, and none after the user stops the bot."""
