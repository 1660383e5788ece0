#pragma once

#include <QDialog>

class QComboBox;
class QLabel;
class QMainWindow;
class QProgressBar;
class QTableWidget;

namespace pollard::vm {
class PlateViewModel;
} // namespace pollard::vm

namespace pollard::app {

struct Models;

/// Shows a map of a plate: its wells in rows and columns with small images, or coloured by a column of a table of
/// objects. A click or Return opens a well.
class PlateDialog : public QDialog {
    Q_OBJECT

public:
    /// All must outlive this.
    PlateDialog(vm::PlateViewModel& plate, Models& models, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void showPlate();
    void showWells();
    void showWell(int number);
    void showColumns();
    void showFields();
    void chooseTable();
    void openCell(int row, int column);

    vm::PlateViewModel& plate_;
    Models& models_;
    QTableWidget* wells_;
    QComboBox* column_;
    QComboBox* field_;
    QLabel* lowest_;
    QLabel* colours_;
    QLabel* highest_;
    QLabel* state_;
    QProgressBar* progress_;
};

/// Adds "Plate map" and the steps between wells and fields to the menu Image, enabled for images of a plate.
/// @param models must outlive the window
void addPlate(QMainWindow& window, Models& models);

} // namespace pollard::app
