#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QWidget>

namespace pollard::vm {
class DisplayViewModel;
class DocumentViewModel;
class HistogramViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Window and level with the histogram, and the colour map.
class DisplayPanel : public QWidget {
    Q_OBJECT

public:
    /// @param document,display,histogram must outlive this
    DisplayPanel(vm::DocumentViewModel& document, vm::DisplayViewModel& display, vm::HistogramViewModel& histogram,
                 QWidget* parent = nullptr);

private:
    void build();
    void connectModels();
    void showWindow();
    void showColourMap();
    void showAvailability();

    vm::DocumentViewModel& document_;
    vm::DisplayViewModel& display_;
    vm::HistogramViewModel& histogram_;
    QWidget* chart_ = nullptr;
    QDoubleSpinBox* low_ = nullptr;
    QDoubleSpinBox* high_ = nullptr;
    QPushButton* auto_ = nullptr;
    QPushButton* full_ = nullptr;
    QCheckBox* logarithmic_ = nullptr;
    QComboBox* colourMap_ = nullptr;
};

} // namespace pollard::app
