"""Filters an image by tasks of Dask: dask_filter.py SCHEDULER IMAGE OUT.tif TASKS OPTION...

OPTIONs are those of pollard-cli part plan. The files have the same names on all workers.
"""
import json
import subprocess
import sys

from dask.distributed import Client

scheduler, image, out, tasks, *options = sys.argv[1:]
work = f"{out}.tasks"
job = f"{work}/job.json"


def part(verb, *arguments, after=()):
    """Runs a verb once the tasks `after` are done."""
    return subprocess.run(["pollard-cli", "part", verb, *map(str, arguments)], check=True, capture_output=True).stdout


subprocess.run(["mkdir", "-p", work], check=True)
plan = json.loads(part("plan", image, "-o", job, *options, "--json"))
chunks = plan["chunks"]
tasks = min(int(tasks), chunks)
folders = [f"{work}/{i}" for i in range(tasks)]
client = Client(scheduler)
built = [client.submit(part, "build", job, image, "-o", folder, "--chunks",
                       f"{i * chunks // tasks}:{(i + 1) * chunks // tasks - 1}") for i, folder in enumerate(folders)]
merged = client.submit(part, "merge", job, *folders, "-o", f"{work}/whole", after=built)
divided = client.submit(part, "split", job, f"{work}/whole", *folders, after=merged)
if plan["sweeps"] == 2:
    decided = [client.submit(part, "decide", job, image, folder, after=divided) for folder in folders]
    collected = client.submit(part, "collect", job, f"{work}/whole", *folders, after=decided)
    divided = client.submit(part, "split", job, f"{work}/whole", *folders, after=collected)
filtered = [client.submit(part, "apply", job, image, folder, after=divided) for folder in folders]
client.submit(part, "finish", job, image, *folders, "-o", out, after=filtered).result()
