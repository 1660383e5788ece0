#pragma once

#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QWidget>

#include <vector>

class QGridLayout;

namespace pollard::vm {
class DocumentViewModel;
class StackViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// A line with a slider, a number and a play button for each axis of a stack, and whether its slices are one volume;
/// hidden for a single page.
class StackControls : public QWidget {
    Q_OBJECT

public:
    /// @param stack,document must outlive this
    StackControls(vm::StackViewModel& stack, vm::DocumentViewModel& document, QWidget* parent = nullptr);

    /// Buttons of the orthogonal views and of the 3D view, which are seen with a volume.
    void setVolumeViews(QAction* sections, QAction* rendering);

private:
    struct Row {
        QLabel* title = nullptr;
        QLabel* label = nullptr;
        QSlider* slider = nullptr;
        QSpinBox* number = nullptr;
        QToolButton* play = nullptr;
    };
    void makeRows();
    Row makeRow(int axis);
    void showPositions();
    void showPlaying();
    void showCache();
    void showSlices();
    void askForAxes();

    vm::StackViewModel& stack_;
    vm::DocumentViewModel& document_;
    QGridLayout* grid_ = nullptr;
    QComboBox* slices_ = nullptr; ///< a volume, pages or a projection
    QToolButton* axes_ = nullptr; ///< of pages without stated axes
    QToolButton* sections_ = nullptr;
    QToolButton* rendering_ = nullptr;
    std::vector<Row> rows_;
};

} // namespace pollard::app
