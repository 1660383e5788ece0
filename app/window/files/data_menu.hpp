#pragma once

#include "vm/base/data_table.hpp"

#include <QObject>
#include <QPoint>
#include <QString>

#include <functional>

class QAbstractItemView;
class QMainWindow;
class QMenu;
class QWidget;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Copies and saves the content of a chart or table: its image as SVG or PNG, its numbers as CSV or TSV. Opens as the
/// context menu of the widget, also with the menu key. In a table Ctrl+C copies the selected rows.
class DataMenu : public QObject {
    Q_OBJECT

public:
    /// @param widget a chart, which owns this @param ending of proposed file names: "_spectrum"
    /// @param table returns its numbers; nullptr for a chart without numbers
    DataMenu(QWidget& widget, const QString& ending, std::function<vm::DataTable()> table, Models& models,
             ErrorPresenter& errors);
    /// Copies and saves a table: no image, and only the selected rows if several are selected.
    DataMenu(QAbstractItemView& view, const QString& ending, Models& models, ErrorPresenter& errors);

    /// The chart; nullptr for a table.
    [[nodiscard]] const QWidget* chart() const noexcept { return isTable_ ? nullptr : &widget_; }
    /// The chart as PNG with twice the resolution of the screen.
    [[nodiscard]] QByteArray image() const;
    void copyImage() const;
    void copyData() const;
    /// Writes the format given by the suffix of the name. @return error message, or empty
    [[nodiscard]] QString saveImage(const QString& path) const;
    [[nodiscard]] QString saveData(const QString& path) const;
    /// Makes the context menu, which deletes itself when it closes.
    [[nodiscard]] QMenu* makeMenu();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void start();
    void ask(bool image);
    [[nodiscard]] bool hasUnitsRow() const;

    QWidget& widget_;
    QString ending_;
    std::function<vm::DataTable()> table_;
    Models& models_;
    ErrorPresenter& errors_;
    bool isTable_;
};

/// Gives all tables of the window, and all charts without a DataMenu, a DataMenu. All must outlive the window. Call
/// after adding the docks.
void addDataMenus(QMainWindow& window, Models& models, ErrorPresenter& errors);

} // namespace pollard::app
