"""The real games that the bot can play: their properties, how to find them, and how to start them."""
