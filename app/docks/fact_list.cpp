#include "docks/fact_list.hpp"

#include "widgets/panel_parts.hpp"

#include <QGridLayout>
#include <QLabel>

namespace pollard::app {
namespace {

constexpr int kLongText = 24; ///< longer texts get a separate line

} // namespace

FactList::FactList(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(10);
    grid_->setVerticalSpacing(5);
    grid_->setColumnStretch(1, 1);
    hide();
}

void FactList::setFacts(const Facts& facts) {
    if (facts == facts_) {
        return;
    }
    facts_ = facts;
    while (QLayoutItem* item = grid_->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    int row = 0;
    for (const auto& [name, text] : facts_) {
        auto* value = new QLabel(text, this);
        value->setTextFormat(Qt::PlainText);
        value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        value->setWordWrap(true);
        value->setAccessibleName(name);
        auto* caption = new CaptionLabel(name, this);
        caption->setWordWrap(name.size() > kLongText);
        if (name.size() + text.size() > kLongText + kLongText / 2) {
            grid_->addWidget(caption, row++, 0, 1, 2);
            value->setIndent(10);
            grid_->addWidget(value, row++, 0, 1, 2);
        } else {
            grid_->addWidget(caption, row, 0, Qt::AlignLeft | Qt::AlignTop);
            grid_->addWidget(value, row++, 1);
        }
    }
    setVisible(!facts_.empty());
}

} // namespace pollard::app
