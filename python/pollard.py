"""The old name of the package in folders of this repository and of its builds; it is not installed, because another
project has the name. Warns with the new name and stands for the package, so that older scripts run."""

import sys
import warnings

warnings.warn("Pollard's package is `pollard_morphology` now: write `import pollard_morphology as pollard`",
              FutureWarning, stacklevel=2)

import pollard_morphology  # noqa: E402, the warning comes first if the package is not built

sys.modules[__name__] = pollard_morphology
