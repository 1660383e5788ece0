#pragma once

#include "command.hpp"
#include "engine/engine.hpp"
#include "image/value_mapping.hpp"
#include "io/image_file.hpp"
#include "text.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pollard::cli {

/// Declares --connectivity. @param connectivity 0: 4, and 6 in volumes
void declareConnectivity(CLI::App& command, int& connectivity);

/// Options of commands that build a tree.
struct TreeOptions {
    std::string kind = "max";
    int connectivity = 0;  ///< 0: 4, and 6 in volumes
    std::string algorithm; ///< empty = the engine's default
    std::string grid = "auto";

    void declare(CLI::App& command);
    /// Declares only --tree, for commands that accept several of the other values.
    void declareKind(CLI::App& command);
    /// Declares all but --tree.
    void declareOthers(CLI::App& command);
    /// @param isVolume decides on the connectivity if none is given
    /// @throws UsageError for a connectivity of volumes otherwise
    [[nodiscard]] TreeSpec spec(bool isVolume = false) const;
};

/// "auto", "on", "off".
[[nodiscard]] std::string_view nameOf(GridSimplification grid) noexcept;
/// @throws UsageError for an unknown name
[[nodiscard]] GridSimplification gridNamed(const std::string& name);

/// An engine's session with the tree of an image.
struct SessionTree {
    Engine* engine = nullptr;
    std::unique_ptr<Session> session;
    std::uint64_t estimateBytes = 0;
    TreeSpec spec;
    TreeReport report;
    std::optional<ValueMapping> values; ///< of the levels
};

/// The engine selected by --engine.
/// @throws UsageError for an unknown name; Error(engineUnavailable) if it cannot run here
[[nodiscard]] Engine& selectEngine(const Context& context);

/// The engine selected by --engine, or with "auto" all usable ones. @throws as selectEngine()
[[nodiscard]] std::vector<Engine*> askedEngines(const Context& context);

/// The askedEngines() with an algorithm (empty: any) for a job, the preferred one first.
/// @param job AlgorithmInfo::job of the algorithms
/// @throws UsageError if none has the algorithm, Error(engineUnavailable) if none has any; as selectEngine()
[[nodiscard]] std::vector<Engine*> enginesWith(const Context& context, const std::string& algorithm,
                                               std::string_view job = kMaxTreeJob);

/// Runs @p job on the first of @p engines. If its device fails or has too little memory, continues with the next one
/// and prints a note with the reason.
/// @throws the error of the last engine, and immediately any error unrelated to a device
void onFirstThatWorks(const std::vector<Engine*>& engines, const Context& context,
                      const std::function<void(Engine&)>& job);

/// Upper bound of the memory of a build by an algorithm in bytes, without the image; empty: the engine's default.
[[nodiscard]] std::uint64_t treeBytes(const Engine& engine, const Session& session, const Image& image,
                                      const std::string& algorithm);

/// treeBytes() of the image of this size that needs the least memory, see Session::leastTreeBytes().
[[nodiscard]] std::uint64_t leastTreeBytes(const Engine& engine, const Session& session, const Image& image,
                                           const std::string& algorithm);

/// Checks the least memory and builds the tree of the valid pixels of an image with @p engine.
/// @throws Error, Cancelled
[[nodiscard]] SessionTree buildTree(Engine& engine, const TreeSpec& spec, const LoadedImage& loaded,
                                    const Context& context, ProgressLine& progress);

/// Adds the fields that all commands with a tree report.
void addTreeFields(Json& object, const SessionTree& built);

/// Facts for display: "123 nodes, 45 leaves, depth 6, root level 7 (cpu, NAME, 8.9 ms)".
[[nodiscard]] std::string describe(const SessionTree& built);
/// "NAME", or "NAME, grid on" unless the engine chose the grid.
[[nodiscard]] std::string describeAlgorithm(const std::string& name, GridSimplification grid);

} // namespace pollard::cli
