#include "window/dialogs/tree_table_dialog.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/tree/node_selection.hpp"
#include "widgets/panel_parts.hpp"

#include <QButtonGroup>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace pollard::app {
namespace {

using Rows = vm::TreeTableChoice::Rows;

constexpr auto kAttributes = "treeTable/attributes";
constexpr auto kRows = "treeTable/rows";
constexpr int kAttributeRole = Qt::UserRole;
constexpr QSize kSize(420, 560);

/// Calls the function for every attribute of the list.
template <class Function> void eachItem(const QTreeWidget& tree, Function function) {
    for (int group = 0; group < tree.topLevelItemCount(); ++group) {
        QTreeWidgetItem& heading = *tree.topLevelItem(group);
        for (int i = 0; i < heading.childCount(); ++i) {
            function(*heading.child(i), static_cast<AttributeId>(heading.child(i)->data(0, kAttributeRole).toInt()));
        }
    }
}

QString nameOf(AttributeId id) { return vm::fromUtf8(attributeInfo(id).name); }

} // namespace

TreeTableDialog::TreeTableDialog(const vm::DocumentViewModel& document, const vm::NodeSelection& selection,
                                 QSettings& store, QWidget* parent)
    : QDialog(parent), document_(document), store_(store), attributes_(new QTreeWidget(this)),
      rows_(new QButtonGroup(this)), summary_(new QLabel(this)) {
    setObjectName(QStringLiteral("treeTableDialog"));
    setWindowTitle(tr("Table of components"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(new SectionLabel(tr("Columns"), this));
    addAttributes();
    layout->addWidget(attributes_, 1);
    auto* sets = new QHBoxLayout;
    const auto addSet = [&](const char* objectName, const QString& text, const QString& toolTip,
                            const std::function<bool(AttributeId)>& wanted) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QLatin1String(objectName));
        button->setToolTip(toolTip);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, [this, wanted] { check(wanted); });
        sets->addWidget(button);
    };
    const auto isMeasured = [this](AttributeId id) { return document_.attribute(id) != nullptr; };
    addSet("treeTableAll", tr("&All"), tr("Tick all attributes"), [](AttributeId) { return true; });
    addSet("treeTableMeasured", tr("&Measured now"), tr("Tick the attributes that are measured already"), isMeasured);
    addSet("treeTableNone", tr("&None"), tr("Tick no attribute"), [](AttributeId) { return false; });
    layout->addLayout(sets);
    layout->addWidget(new SectionLabel(tr("Rows"), this));
    addRows(selection);
    summary_->setObjectName(QStringLiteral("treeTableSummary"));
    summary_->setWordWrap(true);
    layout->addWidget(summary_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->addButton(tr("Save…"), QDialogButtonBox::AcceptRole)->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
    resizeOnScreen(*this, kSize);
    connect(attributes_, &QTreeWidget::itemChanged, this, &TreeTableDialog::showSummary);
    const QStringList last = store_.value(kAttributes).toStringList();
    check([&](AttributeId id) { return store_.contains(kAttributes) ? last.contains(nameOf(id)) : isMeasured(id); });
}

void TreeTableDialog::addAttributes() {
    attributes_->setObjectName(QStringLiteral("treeTableAttributes"));
    attributes_->setHeaderHidden(true);
    explain(attributes_, tr("Columns of the table"),
            tr("Attributes of the table. Number, parent, level and canonical pixel of a component are always in it."));
    const vm::AttributeCatalogue catalogue;
    QTreeWidgetItem* heading = nullptr;
    for (int row = 0; row < catalogue.rowCount(); ++row) {
        const AttributeId id = catalogue.attribute(row);
        if (catalogue.isHeading(row)) {
            heading = new QTreeWidgetItem(attributes_, {vm::attributeGroup(id)});
            heading->setFlags(heading->flags() | Qt::ItemIsUserCheckable | Qt::ItemIsAutoTristate);
        } else if (id != AttributeId::level) {
            auto* item = new QTreeWidgetItem(heading, {vm::attributeTitle(id)});
            item->setData(0, kAttributeRole, static_cast<int>(id));
            item->setToolTip(0, vm::attributeDetails(id));
            item->setCheckState(0, Qt::Unchecked);
        }
    }
    attributes_->expandAll();
}

void TreeTableDialog::addRows(const vm::NodeSelection& selection) {
    const QLocale locale;
    const auto add = [&](Rows rows, const char* objectName, const QString& text, const QString& toolTip) {
        auto* button = new QRadioButton(text, this);
        button->setObjectName(QLatin1String(objectName));
        button->setToolTip(toolTip);
        rows_->addButton(button, static_cast<int>(rows));
        layout()->addWidget(button);
        return button;
    };
    add(Rows::all, "treeTableRowsAll",
        tr("A&ll %1 components").arg(locale.toString(static_cast<qulonglong>(document_.tree()->nodeCount()))),
        tr("Every component of the tree, the root included"))
        ->setChecked(true);
    add(Rows::selected, "treeTableRowsSelected", tr("The &selection: %1").arg(locale.toString(selection.count())),
        tr("The selected components, see the Selection panel"))
        ->setEnabled(selection.count() > 0);
    add(Rows::kept, "treeTableRowsKept", tr("&Kept by the filter"), tr("Components that the present filter keeps"))
        ->setEnabled(document_.hasResult());
    QAbstractButton* last = rows_->button(store_.value(kRows, 0).toInt());
    if (last != nullptr && last->isEnabled()) {
        last->setChecked(true);
    }
}

void TreeTableDialog::check(const std::function<bool(AttributeId)>& wanted) {
    eachItem(*attributes_, [&](QTreeWidgetItem& item, AttributeId id) {
        item.setCheckState(0, wanted(id) ? Qt::Checked : Qt::Unchecked);
    });
    showSummary();
}

void TreeTableDialog::showSummary() {
    const auto attributes = choice().attributes;
    const auto missing =
        std::ranges::count_if(attributes, [this](AttributeId id) { return document_.attribute(id) == nullptr; });
    summary_->setText(missing == 0 ? tr("%1 attributes, all measured").arg(attributes.size())
                                   : tr("%1 attributes, %2 to be measured first").arg(attributes.size()).arg(missing));
}

vm::TreeTableChoice TreeTableDialog::choice() const {
    vm::TreeTableChoice choice;
    choice.rows = static_cast<Rows>(rows_->checkedId());
    eachItem(*attributes_, [&](const QTreeWidgetItem& item, AttributeId id) {
        if (item.checkState(0) == Qt::Checked) {
            choice.attributes.push_back(id);
        }
    });
    return choice;
}

void TreeTableDialog::accept() {
    QStringList names;
    for (const AttributeId id : choice().attributes) {
        names << nameOf(id);
    }
    store_.setValue(kAttributes, names);
    store_.setValue(kRows, rows_->checkedId());
    QDialog::accept();
}

} // namespace pollard::app
