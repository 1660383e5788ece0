#pragma once

#include "latest_wins_worker.hpp"

#include "tree/node_set.hpp"

#include <QObject>
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
class NodeExport : public QObject {
    Q_OBJECT
    Q_PROPERTY(bool available READ isAvailable NOTIFY availableChanged)

public:
    /// @param document must outlive this
    explicit NodeExport(DocumentViewModel& document, QObject* parent = nullptr)
        : QObject(parent), document_(document) {}

    /// No file is being written.
    [[nodiscard]] bool isAvailable() const noexcept { return !busy_; }
    /// Starts to write; does nothing unless isAvailable(), nor without nodes. Ends with saved() or failed().
    void save(pollard::vm::NodeFile file, const pollard::NodeSet& nodes, const QString& path);

signals:
    void availableChanged();
    void saved(const QString& path);
    void failed(const QString& title, const QString& text);

private:
    DocumentViewModel& document_;
    bool busy_ = false;
    LatestWinsWorker worker_; ///< last: its thread ends before the rest goes
};

} // namespace pollard::vm
