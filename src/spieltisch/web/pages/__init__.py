"""Page contents, from one perspective and in one language."""
