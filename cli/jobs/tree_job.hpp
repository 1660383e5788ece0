#pragma once

#include "command.hpp"
#include "engine/engine.hpp"
#include "io/image_file.hpp"
#include "text.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pollard::cli {

class ProgressLine;

/// Options of every command that builds a tree.
struct TreeOptions {
    std::string kind = "max";
    int connectivity = 4;
    std::string algorithm; ///< empty = the engine's default
    std::string grid = "auto";

    void declare(CLI::App& command);
    /// --tree alone, for a command that takes several of the others.
    void declareKind(CLI::App& command);
    [[nodiscard]] TreeSpec spec() const;
};

/// "auto", "on", "off".
[[nodiscard]] std::string_view nameOf(GridSimplification grid) noexcept;
/// @throws UsageError for another name than those
[[nodiscard]] GridSimplification gridNamed(const std::string& name);

/// An engine's session with the tree of an image.
struct BuiltTree {
    Engine* engine = nullptr;
    std::unique_ptr<Session> session;
    std::uint64_t estimateBytes = 0;
    TreeReport report;
};

/// The engine that --engine names.
/// @throws UsageError for a name that no build has; Error(engineUnavailable) for one that cannot run here
[[nodiscard]] Engine& selectEngine(const Context& context);

/// Engines that can do a job with an algorithm of its kind (empty: each its own), the preferred one first: the one that
/// --engine names, or with "auto" all usable ones.
/// @param job AlgorithmInfo::job of the algorithms
/// @throws UsageError if none has the algorithm, Error(engineUnavailable) if none has any; as selectEngine()
[[nodiscard]] std::vector<Engine*> enginesWith(const Context& context, const std::string& algorithm,
                                               std::string_view job = kMaxTreeJob);

/// Does @p job with the first of @p engines. If its device fails or is too small, the next one does it, and a note says
/// why.
/// @throws what the last engine's job throws, and at once whatever is no trouble with a device
void onFirstThatWorks(const std::vector<Engine*>& engines, const Context& context,
                      const std::function<void(Engine&)>& job);

/// @throws Error(outOfMemory) if a job needs more bytes than the engine's device has memory
void requireMemory(const Engine& engine, std::uint64_t bytes, const Image& image);

/// Checks the memory estimate and builds the tree of @p image with @p engine.
/// @throws Error, Cancelled
[[nodiscard]] BuiltTree buildTree(Engine& engine, const TreeSpec& spec, std::shared_ptr<const Image> image,
                                  const Context& context, ProgressLine& progress);

/// Fields that every command that built a tree reports.
void addTreeFields(Json& object, const BuiltTree& built, const TreeSpec& spec);

/// The same facts for a person: "123 nodes, 45 leaves, depth 6, root level 7 (cpu, NAME, 8.9 ms)".
[[nodiscard]] std::string describe(const BuiltTree& built, const TreeSpec& spec);
/// "NAME", or "NAME, grid on" unless the engine chose by itself.
[[nodiscard]] std::string describeAlgorithm(const std::string& name, GridSimplification grid);

} // namespace pollard::cli
