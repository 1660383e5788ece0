#pragma once

#include "vm/base/file_export.hpp"

#include "tree/node_set.hpp"

#include <QString>

#include <array>
#include <cstdint>

namespace pollard::vm {

class DocumentViewModel;

/// File formats of components.
enum class NodeFile : std::uint8_t {
    mask,  ///< TIFF, 255 inside
    table, ///< CSV, a line per component, with the measured attributes
};
inline constexpr std::array kNodeFiles{NodeFile::mask, NodeFile::table};

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

} // namespace pollard::vm
