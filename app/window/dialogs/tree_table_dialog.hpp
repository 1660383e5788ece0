#pragma once

#include "vm/tree/tree_export.hpp"

#include <QDialog>

#include <functional>

class QButtonGroup;
class QLabel;
class QSettings;
class QTreeWidget;

namespace pollard::app {

/// Asks for the columns and rows of a table of components. Stores the answer as the next default.
class TreeTableDialog : public QDialog {
    Q_OBJECT

public:
    /// All must outlive this.
    TreeTableDialog(const vm::DocumentViewModel& document, const vm::NodeSelection& selection, QSettings& store,
                    QWidget* parent = nullptr);

    [[nodiscard]] vm::TreeTableChoice choice() const;
    void accept() override;

private:
    void addAttributes();
    void addRows(const vm::NodeSelection& selection);
    void check(const std::function<bool(AttributeId)>& wanted);
    void showSummary();

    const vm::DocumentViewModel& document_;
    QSettings& store_;
    QTreeWidget* attributes_;
    QButtonGroup* rows_;
    QLabel* summary_;
};

} // namespace pollard::app
