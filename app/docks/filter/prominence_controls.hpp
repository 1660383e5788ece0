#pragma once

#include "vm/filter/filter_view_model.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QWidget>

namespace pollard::vm {
class DocumentViewModel;
}

namespace pollard::app {

/// Restricts the filter to components that contain one of the most prominent extrema: their number and the measure of
/// prominence.
class ProminenceControls : public QWidget {
    Q_OBJECT

public:
    /// @param filter,document must outlive this
    ProminenceControls(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent = nullptr);

private:
    void showState();

    vm::FilterViewModel& filter_;
    vm::DocumentViewModel& document_;
    QCheckBox* only_;
    QWidget* details_;
    QComboBox* measure_ = nullptr;
};

} // namespace pollard::app
