"""List the names of the games in Gymnasium."""

NAMES = {
    "paris-connection": "ParisConnection",
    "era-of-inventions": "EraOfInventions",
    "legendary-inventors": "LegendaryInventors",
}
