"""The user interface in Qt: the application, the game window, the overlay, the control panel."""
