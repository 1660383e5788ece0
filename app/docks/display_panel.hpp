#pragma once

#include "widgets/number_box.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

class QBoxLayout;

namespace pollard::vm {
class CompareViewModel;
class DisplayViewModel;
class DocumentViewModel;
class HistogramViewModel;
} // namespace pollard::vm

namespace pollard::app {

class ChannelControls;
class FixedHeightLabel;
class HistogramView;

/// Choice of the comparison of original and result, with its parameters: interval of blinking, range of the difference.
class CompareControls : public QWidget {
    Q_OBJECT

public:
    /// @param compare must outlive this
    explicit CompareControls(vm::CompareViewModel& compare, QWidget* parent = nullptr);
};

/// The named windows of values of the open image; the menu's action is disabled if there are none.
class NamedWindowsMenu : public QMenu {
    Q_OBJECT

public:
    /// Both must outlive this.
    NamedWindowsMenu(const vm::DocumentViewModel& document, vm::DisplayViewModel& display, QWidget* parent);

private:
    void fill();

    const vm::DocumentViewModel& document_;
    vm::DisplayViewModel& display_;
};

/// Histogram, window, tone curve and colours, of one channel or of all channels of a composite.
class DisplayPanel : public QWidget {
    Q_OBJECT

public:
    /// @param document,display,histogram must outlive this
    DisplayPanel(vm::DocumentViewModel& document, vm::DisplayViewModel& display, vm::HistogramViewModel& histogram,
                 QWidget* parent = nullptr);

private:
    void addComposite(QBoxLayout& layout);
    void addHistogram(QBoxLayout& layout);
    void addWindow(QBoxLayout& layout);
    void addTone(QBoxLayout& layout);
    void addMarks(QBoxLayout& layout);
    void showScale();
    void showLevels();
    void showSwatches();
    void showClipped();
    void showSaturation();
    void showAvailability();
    void showComposite();

    vm::DocumentViewModel& document_;
    vm::DisplayViewModel& display_;
    vm::HistogramViewModel& histogram_;
    QCheckBox* composite_ = nullptr;
    ChannelControls* channels_ = nullptr;
    QWidget* grey_ = nullptr; ///< the controls of one channel
    HistogramView* chart_ = nullptr;
    QCheckBox* logarithmic_ = nullptr;
    ValueBox* low_ = nullptr;
    ValueBox* high_ = nullptr;
    QLabel* levels_ = nullptr;
    QPushButton* auto_ = nullptr;
    QPushButton* full_ = nullptr;
    QToolButton* named_ = nullptr; ///< menu of named windows; hidden if there are none
    QComboBox* colourMap_ = nullptr;
    FixedHeightLabel* clipped_ = nullptr;
    QLabel* saturation_ = nullptr;
};

} // namespace pollard::app
