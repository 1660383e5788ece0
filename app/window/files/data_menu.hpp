#pragma once

#include "vm/base/data_table.hpp"

#include <QObject>
#include <QPoint>
#include <QString>

#include <functional>

class QAbstractItemView;
class QMenu;
class QWidget;

namespace pollard::app {

class ErrorPresenter;
struct Models;

/// Copies and saves what a chart or a table shows: its picture as SVG or PNG, its numbers as CSV or TSV. Opens as the
/// context menu of the widget, also with the menu key. In a table Ctrl+C copies the selected rows.
class DataMenu : public QObject {
    Q_OBJECT

public:
    /// @param widget a chart, which owns this @param ending of proposed file names: "_spectrum"
    /// @param table reads its numbers; nullptr for a chart without any
    DataMenu(QWidget& widget, const QString& ending, std::function<vm::DataTable()> table, Models& models,
             ErrorPresenter& errors);
    /// The same for a table: no picture, and rows that are selected alone if there are several.
    DataMenu(QAbstractItemView& view, const QString& ending, Models& models, ErrorPresenter& errors);

    /// The chart; nullptr for a table.
    [[nodiscard]] const QWidget* chart() const noexcept { return isTable_ ? nullptr : &widget_; }
    /// Whether a part of the chart or table lies on the screen: false in a tab behind another one.
    [[nodiscard]] bool isSeen() const;
    /// PNG, with two pixels for each pixel of the screen in both directions.
    [[nodiscard]] QByteArray picture() const;
    void copyPicture() const;
    void copyData() const;
    /// Writes what the ending of the name says. @return what went wrong, or nothing
    [[nodiscard]] QString savePicture(const QString& path) const;
    [[nodiscard]] QString saveData(const QString& path) const;
    /// Deletes itself when it closes.
    [[nodiscard]] QMenu* makeMenu();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void start();
    void ask(bool picture);
    [[nodiscard]] bool hasUnitsRow() const;

    QWidget& widget_;
    QString ending_;
    std::function<vm::DataTable()> table_;
    Models& models_;
    ErrorPresenter& errors_;
    bool isTable_;
};

} // namespace pollard::app
