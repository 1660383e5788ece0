"""Jobs that another thread cancels."""

from __future__ import annotations

from typing import Any

from . import _core


class Job:
    """Lets another thread cancel the calls of this one, and look at their progress.

    Examples
    --------
    >>> job = pollard.Job()
    >>> with job:    # on a thread of its own; another one calls job.cancel()
    ...     tree = pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]])
    >>> job.cancelled, job.progress
    (False, 1.0)
    """

    def __init__(self) -> None:
        self._core = _core.Job()

    def cancel(self) -> None:
        """Lets the present call inside ``with job:``, and all later ones, raise ``pollard.Cancelled``.

        Examples
        --------
        >>> job = pollard.Job()
        >>> job.cancel()
        >>> with job:
        ...     tree = pollard.max_tree([[0, 0, 9, 0, 0, 7, 7]])
        Traceback (most recent call last):
        ...
        pollard_morphology.Cancelled
        """
        self._core.cancel()

    @property
    def cancelled(self) -> bool:
        """Whether :meth:`cancel` was called."""
        return self._core.cancelled

    @property
    def progress(self) -> float:
        """Fraction of the present call that is done, 0 to 1; calls that cannot tell stay at 0."""
        return self._core.progress

    def __enter__(self) -> "Job":
        self._core.enter()
        return self

    def __exit__(self, *_: Any) -> None:
        self._core.leave()
