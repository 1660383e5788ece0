#!/usr/bin/env bash
# Filters an image by jobs of Slurm: slurm_filter.sh IMAGE OUT.tif TASKS OPTION...
# e.g. slurm_filter.sh mosaic.tif large.tif 16 --keep 'area>=100' --chunk 8192
# OPTIONs are those of pollard-cli part plan. The files have the same names on all nodes.
set -euo pipefail
image=$1 out=$2 tasks=$3
shift 3
work=$out.tasks
mkdir -p "$work"
plan=$(pollard-cli part plan "$image" -o "$work/job.json" "$@" --json)
# number NAME: that of the plan
number() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" <<<"$plan"; }
chunks=$(number chunks)
tasks=$((tasks < chunks ? tasks : chunks))
export image out work chunks tasks

previous=
# submit COUNT COMMAND: an array of COUNT tasks after the last one; i is the number of the task.
submit() {
    previous=$(sbatch --parsable --export=ALL --array=0-$(($1 - 1)) ${previous:+--dependency=afterok:$previous} \
        --wrap "set -e; i=\$SLURM_ARRAY_TASK_ID; part() { verb=\$1; shift; pollard-cli part \$verb \"\$work/job.json\" \"\$@\"; }; $2")
}
# Folders that task i of a level merges, as words of the shell; $1 level, $2 number of folders.
pair="a=\$work/\$level-\$((2 * i)); b=\$work/\$level-\$((2 * i + 1)); [ \$((2 * i + 1)) -lt \$count ] || b="

submit "$tasks" 'part build "$image" --chunks $((i * chunks / tasks)):$(((i + 1) * chunks / tasks - 1)) -o "$work/0-$i"'
counts=("$tasks")
while [ "${counts[-1]}" -gt 1 ]; do
    level=$((${#counts[@]} - 1)) count=${counts[-1]}
    counts+=($(((count + 1) / 2)))
    submit "${counts[-1]}" "level=$level count=$count; $pair; part merge \"\$a\" \${b:+\"\$b\"} -o \"\$work/$((level + 1))-\$i\""
done
# on_merges VERB LEVEL...: for all folders that were merged into those of the levels above.
on_merges() {
    verb=$1
    shift
    for level; do
        submit "${counts[level + 1]}" "level=$level count=${counts[level]}; $pair; part $verb \"\$work/$((level + 1))-\$i\" \"\$a\" \${b:+\"\$b\"}"
    done
}
up=$(seq 0 $((${#counts[@]} - 2))) down=$(seq $((${#counts[@]} - 2)) -1 0)
on_merges split $down
if [ "$(number sweeps)" = 2 ]; then
    submit "$tasks" 'part decide "$image" "$work/0-$i"'
    on_merges collect $up
    on_merges split $down
fi
numbered=
if [[ " $* " == *" labels "* ]]; then
    submit "$tasks" 'part count "$image" "$work/0-$i"'
    numbered='--numbered "$work"/0-*'
fi
submit "$tasks" "part apply \"\$image\" \"\$work/0-\$i\" $numbered"
submit 1 'part finish "$image" "$work"/0-* -o "$out"; rm -r "$work"'
echo "job $previous writes $out"
