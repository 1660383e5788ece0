#pragma once

#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QWidget>

#include <vector>

class QGridLayout;
class QHBoxLayout;

namespace pollard::vm {
class DocumentViewModel;
class StackViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// A line with a slider, a number and a play button for each axis of a stack, and the choice whether its slices form a
/// volume; hidden for a single page. In a narrow window the last choice and the buttons of views have their own line,
/// and the names of positions are tooltips.
class StackControls : public QWidget {
    Q_OBJECT

public:
    /// @param stack,document must outlive this
    StackControls(vm::StackViewModel& stack, vm::DocumentViewModel& document, QWidget* parent = nullptr);

    /// Sets the actions of the buttons for orthogonal views and the 3D view, which are visible for a volume.
    void setVolumeViews(QAction* sections, QAction* rendering);
    /// The size of the narrow form.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

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
    /// Least width of the lines without the names of positions. @param slider least width of a slider
    [[nodiscard]] int rowsWidth(int slider) const;
    /// Chooses the narrow or the wide form by the width.
    void arrange();

    vm::StackViewModel& stack_;
    vm::DocumentViewModel& document_;
    QGridLayout* grid_ = nullptr;
    QHBoxLayout* otherControls_ = nullptr; ///< the controls that belong to no axis
    QComboBox* slices_ = nullptr;          ///< a volume, pages or a projection
    QToolButton* axes_ = nullptr;          ///< asks for the axes of pages; visible if the file states none
    QToolButton* sections_ = nullptr;
    QToolButton* rendering_ = nullptr;
    std::vector<Row> rows_;
    bool isNarrow_ = false;
};

} // namespace pollard::app
