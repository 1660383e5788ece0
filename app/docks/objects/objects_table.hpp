#pragma once

#include <QTableView>

namespace pollard::vm {
class ObjectTableModel;
}

namespace pollard::app {

/// The table of objects. Its selection is synchronised with ObjectMarks in both directions. Delete removes the selected
/// objects.
class ObjectsTable : public QTableView {
    Q_OBJECT

public:
    /// @param model must outlive this
    explicit ObjectsTable(vm::ObjectTableModel& model, QWidget* parent = nullptr);

signals:
    /// Requests showing an object: double click or Return on its row.
    void visitRequested(std::uint32_t label);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void tellSelection();
    void showSelection();
    [[nodiscard]] std::uint32_t labelOf(const QModelIndex& index) const;

    vm::ObjectTableModel& model_;
    bool syncing_ = false; ///< while selection and marks are synchronised
};

} // namespace pollard::app
