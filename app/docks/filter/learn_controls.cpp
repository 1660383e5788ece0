#include "docks/filter/learn_controls.hpp"

#include "theme/icons.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/form.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QVBoxLayout>

namespace pollard::app {

LearnControls::LearnControls(vm::FilterViewModel& filter, vm::DocumentViewModel& document, QWidget* parent)
    : QWidget(parent), filter_(filter), document_(document), learn_(document, filter),
      learnButton_(new QToolButton(this)), isForest_(new QCheckBox(this)), text_(new CaptionLabel(QString(), this)),
      row_(new QWidget(this)), answers_(new QWidget(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    learnButton_->setIcon(themedIcon(QStringLiteral("filter")));
    learnButton_->setText(tr("Learn from the picks"));
    learnButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    learnButton_->setCheckable(true);
    explain(learnButton_, "learnButton", tr("Learn criteria from the picks"),
            tr("Find the fewest criteria that keep the components kept by hand and remove those removed by hand"));
    layout->addWidget(learnButton_);
    isForest_->setText(tr("By a forest"));
    explain(isForest_, "learnForest", tr("Learn a forest from the picks"),
            tr("Learn 64 decision trees: they also separate components that no three criteria separate, but are harder "
               "to read"));
    layout->addWidget(isForest_);
    text_->setObjectName(QStringLiteral("learnText"));
    text_->setWordWrap(true);
    layout->addWidget(text_);
    makeButtons();
    layout->addWidget(row_);
    layout->addWidget(answers_);
    connect(learnButton_, &QToolButton::toggled, &learn_, &vm::LearnViewModel::setActive);
    removeForest_ = makeControl<QPushButton>(this, "removeForest", tr("Remove the forest"),
                                             tr("Decide by the criteria of the filter alone"), tr("Remove the forest"));
    layout->addWidget(removeForest_, 0, Qt::AlignLeft);
    connect(isForest_, &QCheckBox::toggled, &learn_, &vm::LearnViewModel::setForest);
    connect(removeForest_, &QPushButton::clicked, &filter_, [this] { filter_.setForest({}); });
    connect(&filter_, &vm::FilterViewModel::forestChanged, this, &LearnControls::showState);
    connect(&filter_, &vm::FilterViewModel::enabledChanged, this, &LearnControls::showState);
    connect(&document_, &vm::DocumentViewModel::imageChanged, this, &LearnControls::showState);
    follow(this, &LearnControls::showState, learn_, &vm::LearnViewModel::changed);
}

void LearnControls::makeButtons() {
    use_ = makeControl<QPushButton>(row_, "learnUse", tr("Use as criteria"),
                                    tr("Make this the filter, in place of its criteria and of the picks"),
                                    tr("Use as criteria"));
    next_ =
        makeControl<QPushButton>(row_, "learnNext", tr("Next unsure component"),
                                 tr("Show a component next to a bound; its answer tells the most"), tr("&Next unsure"));
    auto* keep = makeControl<QPushButton>(answers_, "learnKeep", tr("Keep the component in question"),
                                          tr("Keep it by hand and show the next one"), tr("&Keep it"));
    auto* drop = makeControl<QPushButton>(answers_, "learnRemove", tr("Remove the component in question"),
                                          tr("Remove it by hand and show the next one"), tr("Re&move it"));
    const auto lay = [](QWidget& parent, QPushButton& first, QPushButton& second) {
        auto* row = new WrappingRow(6);
        row->addWidget(&first);
        row->addWidget(&second);
        parent.setLayout(row);
    };
    lay(*row_, *use_, *next_);
    lay(*answers_, *keep, *drop);
    connect(use_, &QPushButton::clicked, &learn_, &vm::LearnViewModel::use);
    connect(next_, &QPushButton::clicked, &learn_, &vm::LearnViewModel::askNext);
    connect(keep, &QPushButton::clicked, &learn_, [this] { learn_.answer(true); });
    connect(drop, &QPushButton::clicked, &learn_, [this] { learn_.answer(false); });
}

void LearnControls::showState() {
    learnButton_->setEnabled(document_.hasImage() && filter_.isEnabled());
    isForest_->setVisible(learn_.isActive());
    const Forest& forest = filter_.forest();
    removeForest_->setVisible(!forest.trees.empty());
    removeForest_->setText(tr("Remove %1").arg(vm::FilterViewModel::forestText(forest)));
    text_->setText(learn_.text());
    text_->setVisible(!learn_.text().isEmpty());
    row_->setVisible(learn_.isActive() && learn_.proposal() != nullptr);
    row_->setEnabled(filter_.isEnabled());
    use_->setEnabled(learn_.canUse());
    next_->setEnabled(learn_.canAsk());
    answers_->setVisible(learn_.asked().has_value());
    answers_->setEnabled(filter_.isEnabled());
}

} // namespace pollard::app
