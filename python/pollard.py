"""The old name of the package, which another project has: this file says the new one, and is not installed."""

raise ImportError("Pollard's package is `pollard_morphology` now: write `import pollard_morphology as pollard`")
