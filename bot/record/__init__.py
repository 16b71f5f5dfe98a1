"""The record of a run: written round by round while the bot plays, and read back later."""
