"""Tests of pollard-mpi: mpi_test.py POLLARD-CLI POLLARD-MPI. Exit code 77 without mpirun."""
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
import tiff_maker

CLI, MPI = sys.argv[1:3]
# One machine without a network; ranks share its processors.
ENVIRONMENT = dict(os.environ, OMPI_MCA_btl="self,vader", OMPI_MCA_pml="ob1", OMPI_MCA_mpi_yield_when_idle="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", LSAN_OPTIONS="detect_leaks=0")
FILTERS = [["--keep", "area>=20"],
           ["--keep", "area>=5", "--keep", "rectangularity>=0.5", "--match", "any", "--rule", "subtractive",
            "--tree", "min", "--connectivity", "8"],
           ["--keep", "perimeter<=60", "--rule", "viterbi", "--output", "residue"],
           ["--keep", "height>=3", "--rule", "max", "--output", "mask"],
           ["--keep", "20<=area<=3000", "--output", "labels"]]
# Values that depend on ancestors, for all rules and both trees.
ANCESTOR_CRITERIA = [["--keep", "depth>=3"], ["--keep", "dynamics>=5", "--keep", "area>=4"],
                     ["--keep", "extinction_area>=9", "--keep", "depth<=1", "--match", "any"],
                     ["--keep", "extinction_volume>=90", "--prominent", "extinction_area:200"], ["--prominent", "dynamics:25"]]
RULES = ["direct", "min", "max", "viterbi", "subtractive"]


def command(ranks, *arguments):
    return ["mpirun", "-np", str(ranks), "--bind-to", "none", MPI, "filter", *map(str, arguments), "--threads", "1",
            "--engine", "cpu"]


def run(arguments, **options):
    return subprocess.run(arguments, capture_output=True, text=True, env=ENVIRONMENT, timeout=300, **options)


class Mpi(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def image(self, name, width, height, bits, **options):
        path = self.folder / name
        tiff_maker.write(path, width, height, bits, tiff_maker.levels(width * height, bits, width), **options)
        return path

    def test_any_number_of_ranks_writes_the_same_bytes(self):
        for number, (size, options) in enumerate(zip([(1200, 1300, 8), (1100, 1700, 16), (2100, 600, 8),
                                                      (600, 2600, 16), (1100, 1100, 8)], FILTERS)):
            image = self.image(f"p{number}.tif", *size)
            whole = self.folder / "whole.tif"
            # One chunk is the whole image.
            expected = run([CLI, "filter", image, "-o", whole, *options, "--chunk", "4096", "--engine", "cpu",
                            "--json"], check=True)
            expected = json.loads(expected.stdout)
            for ranks in (1, 2, 3, 4, 8):
                out = self.folder / f"{ranks}.tif"
                done = run(command(ranks, image, "-o", out, *options, "--chunk", "512", "--json"))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(out.read_bytes(), whole.read_bytes(), f"{ranks} ranks, {options}")
                report = json.loads(done.stdout)
                for field in ("kept", "removed", "changed_pixels", "nodes", "labels", "bits"):
                    self.assertEqual(report.get(field), expected.get(field), field)
                self.assertEqual(len(report["ranks"]), ranks)
                out.unlink()
            self.assertEqual(list(self.folder.glob("*.parts")), [])

    def test_values_of_ancestors_are_found_by_any_number_of_ranks(self):
        images = [self.image("8.tif", 1200, 1100, 8), self.image("16.tif", 600, 1700, 16)]
        whole, out = self.folder / "whole.tif", self.folder / "out.tif"
        for number, (rule, tree) in enumerate((rule, tree) for rule in RULES for tree in ("max", "min")):
            criteria = ANCESTOR_CRITERIA[(number + number // 5) % 5]
            options = [images[number % 2], *criteria, "--rule", rule, "--tree", tree, "--output",
                       ["filtered", "labels", "mask"][number % 3], "--compression", ["deflate", "none"][number // 2 % 2]]
            expected = run([CLI, "filter", "-o", whole, *options, "--chunk", "4096", "--engine", "cpu", "--json"],
                           check=True)
            for ranks in ((1, 3, 8), (2, 4))[number % 2]:
                done = run(command(ranks, "-o", out, *options, "--chunk", "512", "--json"))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(out.read_bytes(), whole.read_bytes(), f"{ranks} ranks, {options}")
                for field in ("kept", "removed", "changed_pixels", "nodes", "labels"):
                    self.assertEqual(json.loads(done.stdout).get(field), json.loads(expected.stdout).get(field), field)
                out.unlink()

    def test_parts_are_cut_where_memory_is_short(self):
        # Columns that rise from row to row: most nodes of the upper half reach over the seam in the middle.
        side = 1024
        row = [struct.pack("<H", 1 + y * 60) + bytes(2) for y in range(side)]
        image = self.folder / "comb.tif"
        tiff_maker.write(image, side, side, 16, b"".join(pair * (side // 2) for pair in row))
        options = ["--keep", "area>=50", "--chunk", "512", "--json"]
        whole = self.folder / "whole.tif"
        expected = run([CLI, "filter", image, "-o", whole, "--stream", "--memory", "4G", *options])
        self.assertEqual(expected.returncode, 0, expected.stderr)
        for ranks in (2, 3):
            out = self.folder / f"cut{ranks}.tif"
            done = run(command(ranks, image, "-o", out, "--memory", "64M", *options))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(out.read_bytes(), whole.read_bytes(), f"{ranks} ranks")
            report = json.loads(done.stdout)
            self.assertIsNone(report["nodes"])
            for field in ("removed", "changed_pixels"):
                self.assertEqual(report[field], json.loads(expected.stdout)[field], field)

    def test_a_rank_that_cannot_read_ends_all(self):
        image = self.image("damaged.tif", 1100, 1300, 8, damaged=True)
        out = self.folder / "out.tif"
        done = run(command(4, image, "-o", out, "--keep", "area>=20", "--chunk", "512"))
        self.assertNotEqual(done.returncode, 0)
        lines = [line for line in done.stderr.splitlines() if line.startswith("pollard-mpi")]
        self.assertTrue(lines and all(": error: rank " in line and "damaged.tif" in line for line in lines), lines)
        self.assertEqual(list(self.folder.glob("out.tif*.t*")) + list(self.folder.glob("out.tif")), [])

    def test_a_killed_rank_ends_all(self):
        image = self.image("large.tif", 3000, 3000, 16)
        out = self.folder / "out.tif"
        job = subprocess.Popen(command(3, image, "-o", out, "--keep", "area>=20", "--chunk", "512"),
                               env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while not (self.folder / "out.tif.parts" / "rank-1").exists() and time.monotonic() < end:
            time.sleep(0.01)
        ranks = pathlib.Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
        os.kill(int(ranks[1]), signal.SIGKILL)
        self.assertNotEqual(job.wait(timeout=60), 0)
        self.assertEqual([path.name for path in self.folder.glob("out.tif*")
                          if path.name != "out.tif.parts"], [])

    def test_a_rank_that_is_killed_while_all_write_leaves_no_target(self):
        image = self.image("large.tif", 3000, 3000, 16)
        out = self.folder / "out.tif"
        for _ in range(10):
            job = subprocess.Popen(command(4, image, "-o", out, "--keep", "area>=20", "--chunk", "1024",
                                           "--compression", "none"),
                                   env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while job.poll() is None and not list(self.folder.glob(".out.tif.part-*")):
                pass
            ranks = pathlib.Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text().split()
            if len(ranks) == 4:
                os.kill(int(ranks[2]), signal.SIGSTOP)
                time.sleep(0.5)
                written = out.exists()
                os.kill(int(ranks[2]), signal.SIGKILL)
                status = job.wait(timeout=60)
                if not written:
                    self.assertNotEqual(status, 0)
                    self.assertEqual([path.name for path in self.folder.glob("*out.tif*")
                                      if path.name != "out.tif.parts"], [])
                    return
            job.wait(timeout=60)
            out.unlink(missing_ok=True)
        self.skipTest("no rank was stopped while it wrote")

    def test_wrong_usage_is_one_line(self):
        image = self.image("small.tif", 70, 60, 8)
        for arguments, code in ((["-o", self.folder / "o.png", "--keep", "area>=2"], 2),
                                (["-o", self.folder / "o.tif", "--keep", "entropy>=2"], 1),
                                (["-o", self.folder / "o.tif", "--unknown"], 2)):
            done = run(command(2, image, *arguments))
            self.assertNotEqual(done.returncode, 0)
            errors = [line for line in done.stderr.splitlines() if line.startswith("pollard-mpi: error: ")]
            self.assertEqual(len(errors), 1, done.stderr)
            self.assertEqual(list(self.folder.glob("o.*")), [])


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
