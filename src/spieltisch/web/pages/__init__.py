"""What pages show, from one perspective and in one language."""
