#include "docks/filter/earlier_note.hpp"

#include "vm/recipe/earlier_filters.hpp"
#include "widgets/couple.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"

#include <QHBoxLayout>

namespace pollard::app {

EarlierNote::EarlierNote(vm::EarlierFilters& earlier, QWidget* parent)
    : QWidget(parent), earlier_(earlier), note_(new CaptionLabel(QString(), this)),
      back_(makeIconButton(this, "earlierBack", QStringLiteral("undo"), tr("Back to the previous filter"),
                           tr("The last of the earlier filters becomes the current one again, in place of this one"))) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    note_->setObjectName(QStringLiteral("earlierNote"));
    note_->setWordWrap(true);
    layout->addWidget(note_, 1);
    layout->addWidget(back_);
    connect(back_, &QToolButton::clicked, &earlier_, &vm::EarlierFilters::goBack);
    follow(this, &EarlierNote::showState, earlier_, &vm::EarlierFilters::changed);
}

void EarlierNote::showState() {
    const QString note = earlier_.note();
    note_->setText(note);
    note_->setToolTip(earlier_.details());
    note_->setAccessibleDescription(earlier_.details());
    setVisible(!note.isEmpty());
}

} // namespace pollard::app
