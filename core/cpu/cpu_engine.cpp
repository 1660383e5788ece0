#include "cpu/cpu_engine.hpp"

#include "cpu/cpu_session.hpp"
#include "snake/snake_job.hpp"

#include <tbb/info.h>

#ifdef __unix__
#include <unistd.h>
#endif

namespace pollard {

namespace {

class CpuEngine final : public Engine {
public:
    [[nodiscard]] std::string name() const override { return "cpu"; }
    [[nodiscard]] std::string device() const override {
        const int threads = tbb::info::default_concurrency();
        return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    }
    [[nodiscard]] std::string unusableReason() const override { return {}; }
    [[nodiscard]] std::uint64_t memoryBytes() const override {
#ifdef _SC_PHYS_PAGES
        return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
#else
        return 0;
#endif
    }
    [[nodiscard]] std::vector<AlgorithmInfo> algorithms() const override {
        std::vector<AlgorithmInfo> all{
            {"branches", "max-tree", "cpu", "Pollard; triplet merge trees: Smirnov & Morozov 2017"},
            {"runs", kLabellingJob, "cpu", "Pollard; runs: He, Chao & Suzuki 2008"}};
        const auto addSnake = [&](SnakeMoves moves, const char* source) {
            all.push_back({std::string(nameOf(moves)), std::string(kSnakeJob), "cpu", source});
        };
        addSnake(SnakeMoves::localBest, "Pollard; likelihood: Chesnaud et al. 1999");
        addSnake(SnakeMoves::parity, "Perrot, \"GPU-accelerated snake\"; likelihood: Chesnaud et al. 1999");
        addSnake(SnakeMoves::sequential, "Chesnaud et al. 1999");
        return all;
    }
    [[nodiscard]] std::unique_ptr<Session> openSession(const SessionOptions& options) override {
        return std::make_unique<cpu::CpuSession>(options);
    }
};

} // namespace

std::unique_ptr<Engine> makeCpuEngine() { return std::make_unique<CpuEngine>(); }

} // namespace pollard
