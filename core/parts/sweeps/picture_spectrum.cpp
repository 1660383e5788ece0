#include "parts/sweeps/picture_spectrum.hpp"

#include "base/thread_arena.hpp"

namespace pollard {

namespace {

/// Share of the memory for distinct values.
constexpr std::uint64_t kDistinctShare = 10;

} // namespace

PictureSpectrumReport spectrumOfPicture(const PictureFilter& request, std::span<const SpectrumAxis> axes,
                                        const JobControl& control) {
    PictureChunks chunks(request, control.part(0, kPassShare));
    const JobControl working = chunks.afterPasses(control);
    PartJob& job = chunks.job;
    job = spectrumJob(job.grid, job.type, job.kind, job.connectivity, axes);
    ClosedSweep sweep(job, chunks.reader(), chunks.treeOptions(request), chunks.mergeMemory());
    PictureSpectrumReport report;
    ThreadArena arena(request.threads);
    report.spectrum =
        arena.execute([&] { return streamedSpectrum(axes, sweep, chunks.memory / kDistinctShare, working); });
    report.stream = sweep.report();
    report.info = chunks.regions->info();
    report.type = job.type;
    report.extent = job.grid.whole();
    report.chunk = job.grid.chunkExtent();
    report.readings = chunks.regions->passes() + sweep.sweeps();
    report.engine = sweep.engine();
    return report;
}

} // namespace pollard
