#include "docks/tree/icicle_panel.hpp"

#include "docks/filter/attribute_picker.hpp"
#include "docks/tree/icicle_colours.hpp"
#include "docks/tree/icicle_view.hpp"
#include "docks/tree/node_link_view.hpp"
#include "vm/tree/icicle_view_model.hpp"
#include "widgets/couple.hpp"
#include "widgets/icon_button.hpp"
#include "widgets/panel_parts.hpp"
#include "widgets/wrapping_row.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace pollard::app {

using Icicle = vm::IcicleViewModel;

namespace {

constexpr qsizetype kMostCrumbs = 4; ///< if there are more, only the first and the last ones are shown

} // namespace

IciclePanel::IciclePanel(Icicle& icicle, vm::ChainViewModel& chain, QWidget* parent)
    : QWidget(parent), icicle_(icicle), attribute_(new AttributeButton(this)),
      logarithmic_(new QCheckBox(tr("Lo&g"), this)), removed_(new QCheckBox(tr("&Removed"), this)),
      height_(new QComboBox(this)), view_(new IcicleView(icicle_, chain, this)),
      links_(makeIconButton(
          this, "icicleLinks", QStringLiteral("max_tree"), tr("Nodes and links"),
          tr("Draw subtrees of at most %1 components as nodes and links; open a component to see its subtree")
              .arg(Icicle::kMostLinked))),
      back_(makeIconButton(this, "icicleBack", QStringLiteral("step_back"), tr("Back"),
                           tr("Back to the previous view (Backspace)"))),
      whole_(makeIconButton(this, "icicleWhole", QStringLiteral("fit"), tr("Whole tree"),
                            tr("Show the whole tree (Home)"))),
      crumbs_(new QLabel(this)), readout_(new ElidedLabel(this)), pages_(new QStackedWidget(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelSpacing, kPanelMargin, kPanelSpacing);
    layout->setSpacing(kPanelSpacing / 2);
    layout->addLayout(makeHead());
    crumbs_->setObjectName(QStringLiteral("icicleCrumbs"));
    crumbs_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    explain(crumbs_, tr("Where in the tree"), tr("Path of opened components; click one to go back to it"));
    readout_->setObjectName(QStringLiteral("icicleReadout"));
    readout_->setMinimumHeight(readout_->fontMetrics().height());
    readout_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* place = new QHBoxLayout;
    place->setSpacing(kPanelMargin);
    place->addWidget(crumbs_);
    place->addWidget(readout_, 1);
    layout->addLayout(place);
    pages_->addWidget(view_);
    pages_->addWidget(new NodeLinkView(icicle_, chain, pages_));
    layout->addWidget(pages_, 1);
    connectModel();
}

void IciclePanel::setMoving(bool moving) { view_->glide().setAllowed(moving); }

QLayout* IciclePanel::makeHead() {
    auto* head = new WrappingRow(kPanelSpacing);
    attribute_->setObjectName(QStringLiteral("icicleAttribute"));
    attribute_->setAccessibleName(tr("Attribute that colours the boxes"));
    logarithmic_->setObjectName(QStringLiteral("icicleLog"));
    explain(logarithmic_, tr("Logarithmic colours"),
            tr("Equal ratios are equal steps of colour, where no value is below 0"));
    removed_->setObjectName(QStringLiteral("icicleRemoved"));
    explain(removed_, tr("Removed components in grey"), tr("Components that the filter removes are pale grey"));
    height_->setObjectName(QStringLiteral("icicleHeight"));
    height_->addItem(tr("Grey levels"), false);
    height_->addItem(tr("Equal steps"), true);
    explain(height_, tr("Height of the boxes"),
            tr("Height of the boxes: grey levels from the parent's level to the component's own, or equal steps, which "
               "show the depth in the tree"));
    head->addWidget(captionFor(attribute_, tr("&Colour")));
    head->addWidget(attribute_);
    head->addWidget(logarithmic_);
    head->addWidget(removed_);
    head->addWidget(captionFor(height_, tr("&Height")));
    head->addWidget(height_);
    head->addStretch();
    auto* legend = new IcicleLegend(icicle_, this);
    legend->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    head->addWidget(legend);
    links_->setCheckable(true);
    head->addWidget(links_);
    head->addWidget(back_);
    head->addWidget(whole_);
    connect(attribute_, &AttributeButton::chosen, &icicle_, &Icicle::setAttribute);
    const auto showAttribute = [this] { attribute_->setAttributeId(icicle_.attribute()); };
    follow(this, showAttribute, icicle_, &Icicle::optionsChanged);
    couple(logarithmic_, icicle_, &Icicle::isLogarithmic, &Icicle::setLogarithmic, &Icicle::optionsChanged);
    couple(removed_, icicle_, &Icicle::showsRemoved, &Icicle::setShowsRemoved, &Icicle::optionsChanged);
    couple(height_, icicle_, &Icicle::isByDepth, &Icicle::setByDepth, &Icicle::optionsChanged);
    couple(links_, icicle_, &Icicle::isLinked, &Icicle::setLinked, &Icicle::optionsChanged);
    return head;
}

void IciclePanel::connectModel() {
    connect(back_, &QToolButton::clicked, &icicle_, &Icicle::back);
    connect(whole_, &QToolButton::clicked, &icicle_, [this] { icicle_.focusCrumb(0); });
    connect(crumbs_, &QLabel::linkActivated, &icicle_,
            [this](const QString& link) { icicle_.focusCrumb(link.toInt()); });
    follow(this, &IciclePanel::showPlace, icicle_, &Icicle::optionsChanged, &Icicle::crumbsChanged,
           &Icicle::viewChanged, &Icicle::changed);
    connect(&icicle_, &Icicle::readoutChanged, this, [this] { readout_->setFullText(icicle_.readout()); });
}

void IciclePanel::showPlace() {
    const QStringList crumbs = icicle_.crumbs();
    QStringList texts;
    for (qsizetype i = 0; i < crumbs.size(); ++i) {
        if (i > 0 && i < crumbs.size() - kMostCrumbs + 1) {
            if (i == 1) {
                texts << QStringLiteral("…");
            }
        } else if (i + 1 < crumbs.size()) {
            texts << QStringLiteral("<a href=\"%1\">%2</a>").arg(i).arg(crumbs[i].toHtmlEscaped());
        } else {
            texts << crumbs[i].toHtmlEscaped();
        }
    }
    crumbs_->setText(texts.join(QStringLiteral(" › ")));
    crumbs_->setVisible(icicle_.frame() != nullptr);
    back_->setEnabled(!icicle_.isWhole());
    whole_->setEnabled(!icicle_.isWhole());
    links_->setEnabled(icicle_.canLink());
    const bool hadFocus = pages_->currentWidget()->hasFocus();
    pages_->setCurrentIndex(icicle_.isLinked() && icicle_.canLink() ? 1 : 0);
    if (hadFocus) {
        pages_->currentWidget()->setFocus();
    }
}

} // namespace pollard::app
