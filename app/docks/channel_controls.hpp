#pragma once

#include "widgets/number_box.hpp"

#include <QDoubleSpinBox>
#include <QListView>
#include <QPushButton>
#include <QWidget>

class QBoxLayout;

namespace pollard::vm {
class CompositeViewModel;
}

namespace pollard::app {

class CaptionLabel;
class ChannelHistograms;

/// The channels of a composite: a list with visibility and colours, and window and gamma of the selected channel.
class ChannelControls : public QWidget {
    Q_OBJECT

public:
    /// @param composite must outlive this
    explicit ChannelControls(vm::CompositeViewModel& composite, QWidget* parent = nullptr);

private:
    void addList(QBoxLayout& layout);
    void addButtons(QBoxLayout& layout);
    void addCutOut(QBoxLayout& layout);
    void addWindow(QBoxLayout& layout);
    void fillColours();
    void fillBands();
    void chooseColour();
    /// The selected row; -1 if there is none.
    [[nodiscard]] int row() const;
    /// Calls @p change with the composite and the selected row, if there is one.
    template <class Change> void changeRow(Change change);
    /// Selects the channel that the filter works on.
    void selectSource();
    void showRow();
    void showState();

    vm::CompositeViewModel& composite_;
    QListView* list_ = nullptr;
    QPushButton* filter_ = nullptr;
    QPushButton* solo_ = nullptr;
    QPushButton* colour_ = nullptr;
    QPushButton* bands_ = nullptr;
    ChannelHistograms* chart_ = nullptr;
    ValueBox* low_ = nullptr;
    ValueBox* high_ = nullptr;
    QDoubleSpinBox* gamma_ = nullptr;
    QWidget* window_ = nullptr; ///< controls that need a channel that is read
    CaptionLabel* state_ = nullptr;
};

} // namespace pollard::app
