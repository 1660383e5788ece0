#pragma once

#include "vm/base/file_export.hpp"

#include "tree/node_set.hpp"

#include <QString>

#include <array>
#include <cstdint>

namespace pollard::vm {

class DocumentViewModel;

/// What components can be written as.
enum class NodeFile : std::uint8_t {
    mask,  ///< TIFF, 255 in them
    table, ///< CSV, a line a component, with the attributes that are measured
};
inline constexpr std::array kNodeFiles{NodeFile::mask, NodeFile::table};

/// "tif", "csv".
[[nodiscard]] QString suffixOf(NodeFile file);

/// Writes components of the present tree on a thread of its own, one file at a time.
class NodeExport : public FileExport {
    Q_OBJECT

public:
    /// @param document must outlive this
    explicit NodeExport(DocumentViewModel& document, QObject* parent = nullptr)
        : FileExport(parent), document_(document) {}

    /// Starts to write; does nothing unless isAvailable(), nor without nodes. Ends with saved() or failed().
    void save(pollard::vm::NodeFile file, const pollard::NodeSet& nodes, const QString& path);

private:
    DocumentViewModel& document_;
};

} // namespace pollard::vm
