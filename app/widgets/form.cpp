#include "widgets/form.hpp"

namespace pollard::app {

void setFormat(QDoubleSpinBox* box, const NumberFormat& format) {
    box->setDecimals(format.decimals);
    box->setRange(format.least, format.most);
    box->setSingleStep(format.step);
    box->setSuffix(format.suffix);
    box->setKeyboardTracking(false);
}

QGridLayout* gridOf(std::initializer_list<std::initializer_list<QWidget*>> rows, int spacing) {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kPanelSpacing);
    grid->setVerticalSpacing(spacing);
    int line = 0;
    for (const auto& row : rows) {
        int column = 0;
        for (auto widget = row.begin(); widget != row.end();) {
            int width = 1;
            while (widget + width != row.end() && *(widget + width) == nullptr) {
                ++width;
            }
            grid->addWidget(*widget, line, column, 1, width);
            widget += width;
            column += width;
        }
        ++line;
    }
    return grid;
}

} // namespace pollard::app
