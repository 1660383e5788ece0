#include "engine/engine.hpp"

#include "base/error.hpp"

#include <chrono>
#include <cstddef>

namespace pollard {

StreamReport Engine::streamTrees(std::span<const std::shared_ptr<const Image>> images, const TreeSpec& spec, int count,
                                 const SessionOptions& options, const JobControl& control) {
    if (images.empty() || count < 1) {
        throw Error(ErrorCode::invalidArgument, "stream of trees: there is no image");
    }
    const auto session = openSession(options);
    StreamReport report;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) {
        session->openImage(images[static_cast<std::size_t>(i) % images.size()]);
        report.algorithm = session->buildTree(spec, control).algorithm;
    }
    report.images = count;
    report.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return report;
}

} // namespace pollard
