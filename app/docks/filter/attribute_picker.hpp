#pragma once

#include "vm/base/attribute_catalogue.hpp"

#include <QFrame>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>

namespace pollard::app {

/// A popup with the list of all attributes and a search field. Arrows move, Return selects, Escape closes without a
/// selection; typing filters the list.
class AttributePicker : public QFrame {
    Q_OBJECT

public:
    explicit AttributePicker(QWidget* parent = nullptr);

    /// Opens below @p anchor, or above it if there is more space, with @p current selected.
    void popUp(const QWidget& anchor, AttributeId current, const QString& query = {});

signals:
    void chosen(pollard::AttributeId attribute);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void select(int row);
    void accept(const QModelIndex& index);
    void place(const QWidget& anchor);

    vm::AttributeCatalogue* catalogue_;
    QLineEdit* search_;
    QListView* list_;
};

/// Shows the selected attribute, as a combo box does, and opens the picker. Typing a letter starts a search.
class AttributeButton : public QPushButton {
    Q_OBJECT

public:
    explicit AttributeButton(QWidget* parent = nullptr);

    void setAttributeId(AttributeId id);
    /// Shows the texts again after describeVolumes().
    void refresh();
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void chosen(pollard::AttributeId attribute);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void open(const QString& query = {});

    AttributeId id_ = AttributeId::area;
    AttributePicker* picker_;
};

} // namespace pollard::app
