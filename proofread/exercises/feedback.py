"""What a reader is told."""

from dataclasses import dataclass

from proofread.decision.verdict import Verdict


@dataclass(frozen=True, repr=False)
class Feedback:
    """What a reader is told about an attempt.

    Attributes
    ----------
    status : str
        ``"no answer"``, ``"right"``, ``"known"`` (a wrong answer that has a hint), ``"wrong"``,
        ``"undecided"`` or ``"unreadable"`` (no formula in the symbols of the exercise).
    text : str
        The message, in Markdown.
    verdict : Verdict or None
        Of the comparison with the answer, where there was one.
    """

    status: str
    text: str
    verdict: Verdict | None = None

    def __repr__(self):
        return self.text

    def _repr_markdown_(self):
        return self.text
