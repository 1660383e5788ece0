#pragma once

#include "vm/base/file_export.hpp"

#include "attributes/attribute.hpp"

#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;
class NodeSelection;

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
    /// Starts to measure and to write; does nothing unless isAvailable(). Ends with saved() or failed(), or without a
    /// signal of them after cancel().
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
