#include "base/job_control.hpp"
#include "command.hpp"
#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "io/read_support.hpp"
#include "jobs/chunk_run.hpp"
#include "jobs/filter_job.hpp"
#include "program.hpp"
#include "rank_filter.hpp"
#include "ranks.hpp"
#include "text.hpp"

#ifdef POLLARD_WITH_CUDA
#include "cuda/cuda_engine.hpp"
#endif

#include <CLI/App.hpp>

#include <csignal>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace pollard;
using cli::Context;
using cli::FilterRequest;
using cli::Json;

constexpr int kFailed = 1;
constexpr int kUsage = 2;

constexpr const char* kExamples = R"(Examples:
  mpirun -np 8 pollard-mpi filter mosaic.tif -o large.tif --keep 'area>=100'
  srun pollard-mpi filter mosaic.tif -o large.tif --keep 'area>=100' --memory 60G

The files have the same names for all processes. The result has the same bytes as that of 'pollard-cli filter --stream', whatever the
number of processes. --memory and --threads are those of each process.
Exit codes: 0 done, 1 the work failed or was cancelled, 2 wrong usage.)";

cli::ReportDetails detailsOf(const std::vector<mpi::RankFacts>& ranks) {
    cli::ReportDetails details;
    Json list = Json::array();
    for (const mpi::RankFacts& rank : ranks) {
        const std::size_t number = list.size();
        list.push_back({{"rank", number},
                        {"chunks", rank.chunks},
                        {"chunk_trees", rank.counts.builtTrees},
                        {"open_nodes", rank.counts.openNodes},
                        {"merged_nodes", rank.counts.mergedNodes},
                        {"merged_with_ranks", rank.mergedNodes},
                        {"sent_nodes", rank.sentNodes},
                        {"sent_bytes", rank.sentBytes},
                        {"processor_ms", rank.processorMilliseconds}});
        details.rows.emplace_back("rank " + std::to_string(number),
                                  cli::grouped(rank.chunks) + " chunks, " + cli::grouped(rank.counts.mergedNodes) +
                                      " nodes merged, " + sizeText(rank.sentBytes) + " sent, processor " +
                                      cli::fixed(rank.processorMilliseconds / 1000, 1) + " s");
    }
    details.fields["ranks"] = std::move(list);
    return details;
}

/// The request of this rank: its share of the memory, and notes with the rank's number.
ChunkRequest requestOf(const FilterRequest& options, const FilterSpec& asked, const Context& context,
                       const mpi::Ranks& ranks) {
    ChunkRequest request = cli::chunkRequest(options, asked, context);
    if (request.memory == 0) {
        request.memory = availableMemory() / 4 * 3 / static_cast<std::uint64_t>(ranks.countOnThisMachine());
    }
    request.note = [&context, rank = ranks.rank()](const std::string& text) {
        if (!context.common.quiet) {
            std::cerr << "pollard-mpi: note: rank " << rank << ": " << text << std::endl;
        }
    };
    return request;
}

/// Prints the problem, and ends all ranks. The signal that follows stops ranks that wait for a message.
[[noreturn]] void endAll(mpi::Ranks& ranks, const std::string& problem, int exitCode = kFailed) {
    if (!problem.empty()) {
        std::cerr << "pollard-mpi: error: rank " + std::to_string(ranks.rank()) + ": " + problem + "\n" << std::flush;
    }
    ranks.abort(exitCode);
}

void run(const FilterRequest& options, Context& context, mpi::Ranks& ranks) {
    const FilterSpec asked = options.filter.spec();
    const ChunkRequest request = requestOf(options, asked, context, ranks);
    StageTimer timer;
    cli::ProgressLine progress(context.err, context.showProgress, context.pace);
    const JobControl control = progress.control("filtering in chunks", context.stop);
    mpi::RanksReport report;
    try {
        if (ranks.isFirst()) {
            cli::requireTarget(options);
        }
        const ImageChunks chunks = mpi::planOverRanks(request, ranks, control.withoutProgress());
        report = mpi::filterOverRanks(request, chunks, ranks, control);
    } catch (const Cancelled&) {
        endAll(ranks, {});
    } catch (const cli::UsageError& error) {
        endAll(ranks, error.what(), kUsage);
    } catch (const std::bad_alloc&) {
        endAll(ranks, "memory: not enough");
    } catch (const std::exception& error) {
        endAll(ranks, error.what());
    }
    progress.clear();
    timer.finish("all");
    if (ranks.isFirst()) {
        std::error_code ignored;
        std::filesystem::remove(workFolder(request), ignored); // unless it contains files of other jobs
        cli::printNotes(context, report.total.info.notes);
        cli::printChunkReport(options, asked, report.total, timer.totalMilliseconds(), context,
                              detailsOf(report.ranks));
    }
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);
    const cli::InterruptWatcher interrupt;
    mpi::Ranks ranks(argc, argv);
    EngineRegistry registry{makeCpuEngine()};
#ifdef POLLARD_WITH_CUDA
    const int devices = countCudaDevices();
    registry.add(makeCudaEngine(devices > 0 ? ranks.indexOnThisMachine() % devices : 0));
#endif
    const auto declareFilter = [&ranks](CLI::App& app) -> cli::CommandAction {
        CLI::App& command = *app.add_subcommand("filter", "Keep the components of an image that meet criteria");
        const auto options = std::make_shared<FilterRequest>();
        options->declare(command);
        return [options, &ranks](Context& context) { run(*options, context, ranks); };
    };
    const cli::Program program{"pollard-mpi",
                               "Pollard: filters images larger than the memory of one machine by processes of MPI.",
                               kExamples,
                               {declareFilter}};
    const std::vector<std::string> args(argv + 1, argv + argc);
    std::ostringstream unused; // the other ranks print the same as rank 0
    std::ostream& out = ranks.isFirst() ? std::cout : unused;
    std::ostream& err = ranks.isFirst() ? std::cerr : unused;
    return cli::runProgram(program, args, out, err, registry,
                           {interrupt.token(), ranks.isFirst() && isatty(STDERR_FILENO) != 0});
}
