#pragma once

#include "vm/base/file_export.hpp"

#include "attributes/attribute.hpp"
#include "tree/node_set.hpp"

#include <QString>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class NodeSelection;

/// File formats of the whole tree.
enum class TreeFile : std::uint8_t {
    table,       ///< CSV, a line per component, with the measured attributes
    array,       ///< the same as a structured NumPy array
    parents,     ///< TIFF of canonical parents, 32 bits
    parentArray, ///< the same as a NumPy array
    graph,       ///< GraphViz, a component with its descendants
};
inline constexpr std::array kTreeFiles{TreeFile::table, TreeFile::array, TreeFile::parents, TreeFile::parentArray,
                                       TreeFile::graph};

/// "csv", "npy", "tif", "dot".
[[nodiscard]] QString suffixOf(TreeFile file);

/// Writes the present tree on another thread, one file at a time.
class TreeExport : public FileExport {
    Q_OBJECT

public:
    /// Most components in a graph; the components nearest to its top are written.
    static constexpr std::size_t kGraphNodes = 500;

    /// @param document must outlive this
    explicit TreeExport(DocumentViewModel& document, QObject* parent = nullptr);

    /// A tree exists, and no file is being written.
    [[nodiscard]] bool isAvailable() const override;
    /// Starts to write; does nothing unless isAvailable(). Ends with saved() or failed().
    /// @param top component at the top of a graph
    void save(pollard::vm::TreeFile file, const QString& path, quint32 top = 0);

private:
    DocumentViewModel& document_;
};

/// File formats of components.
enum class NodeFile : std::uint8_t {
    mask,  ///< TIFF, 255 inside
    table, ///< CSV, a line per component, with the measured attributes
};

/// "tif", "csv".
[[nodiscard]] QString suffixOf(NodeFile file);

/// Writes components of the present tree on another thread, one file at a time.
class NodeExport : public FileExport {
    Q_OBJECT

public:
    /// @param document must outlive this
    explicit NodeExport(DocumentViewModel& document, QObject* parent = nullptr)
        : FileExport(parent), document_(document) {}

    /// Starts to write; does nothing without nodes or unless isAvailable(). Ends with saved() or failed().
    void save(pollard::vm::NodeFile file, const pollard::NodeSet& nodes, const QString& path);

private:
    DocumentViewModel& document_;
};

/// Contents of a table of components.
struct TreeTableChoice {
    enum class Rows : std::uint8_t {
        all,
        selected, ///< the selection
        kept,     ///< nodes kept by the present filter
    };

    std::vector<AttributeId> attributes; ///< columns, without the level, which every table has
    Rows rows = Rows::all;
};

/// Writes a table of components with chosen columns and rows: CSV, or a NumPy array if the name ends in .npy. Measures
/// missing attributes one after another in the background before it writes the file.
class TreeTableExport : public FileExport {
    Q_OBJECT

public:
    /// @param document,selection must outlive this
    TreeTableExport(DocumentViewModel& document, const NodeSelection& selection, QObject* parent = nullptr);

    /// A tree exists, and no file is being made.
    [[nodiscard]] bool isAvailable() const override;
    /// Starts to measure and to write; does nothing unless isAvailable(). Ends with saved() or failed(), or without
    /// both after cancel().
    void save(const QString& path, const TreeTableChoice& choice);

public slots:
    /// Ends the measuring; no file is written then.
    void cancel();

signals:
    /// @param what attribute that is being measured; empty at the end, whether a file is written or not
    void measuring(int done, int total, const QString& what);

private:
    struct Job;

    void advance();
    void end();
    void fail(const QString& why);
    void writeTable();

    DocumentViewModel& document_;
    const NodeSelection& selection_;
    std::shared_ptr<Job> job_; ///< waits for attributes; else null
};

} // namespace pollard::vm
