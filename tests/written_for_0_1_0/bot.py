"""A bot that looks one move ahead."""

from spieltisch import Move, Observation


class Climber:
    """Plays the move after which its own seat has the most points."""

    def __call__(self, observation: Observation, seed: int, seconds: float | None) -> Move:
        """Return a move of the seat that sees the observation."""

        def gain(move: Move) -> int:
            trial = observation.imagine(seed)
            trial.play(move)
            assert observation.seat is not None
            return trial.scores[observation.seat]

        return max(observation.legal_moves, key=gain)
