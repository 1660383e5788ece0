"""Tests of the drivers in docs/examples: part_drivers_test.py POLLARD-CLI."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import tiff_maker

CLI = pathlib.Path(sys.argv[1]).resolve()
EXAMPLES = pathlib.Path(__file__).parent.parent.parent / "docs" / "examples"
# Runs the tasks of an array at once, and writes the options of the job into the folder of the test.
SBATCH = """#!/usr/bin/env bash
set -euo pipefail
echo "$*" >>"$JOBS"
for option; do
    case $option in --array=*) array=${option#--array=} ;; esac
done
for ((i = ${array%-*}; i <= ${array#*-}; i++)); do
    SLURM_ARRAY_TASK_ID=$i sh -c "${!#}" >&2
done
wc -l <"$JOBS"
"""


class Drivers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "pollard-cli").symlink_to(CLI)
        sbatch = self.folder / "bin" / "sbatch"
        sbatch.write_text(SBATCH)
        sbatch.chmod(0o755)
        self.environment = dict(os.environ, PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}",
                                JOBS=str(self.folder / "jobs"))
        tiff_maker.write(self.folder / "in.tif", 1300, 1100, 16, tiff_maker.levels(1300 * 1100, 16, 3))

    def run_in_folder(self, *arguments):
        done = subprocess.run(list(map(str, arguments)), cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def expect_result(self, *options):
        self.run_in_folder("pollard-cli", "filter", "in.tif", "-o", "whole.tif", "--stream", *options)
        self.assertEqual((self.folder / "out.tif").read_bytes(), (self.folder / "whole.tif").read_bytes())

    def test_slurm(self):
        for options in (["--keep", "area>=20"], ["--keep", "area>=9", "--output", "labels"],
                        ["--keep", "dynamics>=300", "--rule", "max"]):
            self.run_in_folder(EXAMPLES / "slurm_filter.sh", "in.tif", "out.tif", "5", *options, "--chunk", "512")
            self.expect_result(*options)
            self.assertFalse((self.folder / "out.tif.tasks").exists())
        jobs = (self.folder / "jobs").read_text().splitlines()
        self.assertIn("--array=0-4", jobs[0])
        self.assertIn("--dependency=afterok:1 ", jobs[1])

    @unittest.skipUnless(shutil.which("make"), "there is no make")
    def test_make(self):
        for options, text in ((["--keep", "area>=20"], "--keep 'area>=20'"),
                              (["--prominent", "extinction_area:40", "--rule", "viterbi"],
                               "--prominent extinction_area:40 --rule viterbi")):
            self.run_in_folder("make", "-f", EXAMPLES / "Makefile", "IMAGE=in.tif", "OUT=out.tif", "TASKS=3",
                               f"FILTER={text} --chunk 512")
            self.expect_result(*options)
            # Nothing is done twice.
            (self.folder / "out.tif").unlink()
            (self.folder / "out.tif.tasks" / "1" / "counts.pollard").unlink()
            done = self.run_in_folder("make", "-f", EXAMPLES / "Makefile", "IMAGE=in.tif", "OUT=out.tif", "TASKS=3")
            self.assertEqual([line.split()[2] for line in done.splitlines() if line.startswith("pollard-cli part")],
                             ["apply", "finish"])
            self.expect_result(*options)
            shutil.rmtree(self.folder / "out.tif.tasks")
            (self.folder / "out.tif").unlink()

    def test_dask_parses(self):
        compile((EXAMPLES / "dask_filter.py").read_text(encoding="utf-8"), "dask_filter.py", "exec")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
