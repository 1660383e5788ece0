#pragma once

#include "vm/base/file_export.hpp"

#include <QString>

#include <array>
#include <cstdint>

namespace pollard::vm {

class DocumentViewModel;

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
    /// Most components in a graph, those nearest to its top.
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

} // namespace pollard::vm
