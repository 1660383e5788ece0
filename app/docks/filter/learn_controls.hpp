#pragma once

#include "vm/filter/learn_view_model.hpp"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

namespace pollard::app {

/// Learns criteria or a forest from the components kept and removed by hand: the proposal, a button that makes it the
/// filter, and questions about the components of which it is least sure.
class LearnControls : public QWidget {
    Q_OBJECT

public:
    /// @param filter,document must outlive this
    LearnControls(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent = nullptr);

    [[nodiscard]] vm::LearnViewModel& model() noexcept { return learn_; }

private:
    void makeButtons();
    void showState();

    vm::FilterViewModel& filter_;
    vm::DocumentViewModel& document_;
    vm::LearnViewModel learn_;
    QToolButton* learnButton_;
    QCheckBox* isForest_;
    QLabel* text_;
    QWidget* row_;
    QWidget* answers_;
    QPushButton* removeForest_ = nullptr;
    QPushButton* use_ = nullptr;
    QPushButton* next_ = nullptr;
};

} // namespace pollard::app
