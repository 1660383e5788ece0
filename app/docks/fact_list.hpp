#pragma once

#include <QString>
#include <QWidget>

#include <utility>
#include <vector>

class QGridLayout;

namespace pollard::app {

/// Rows of a name and a selectable text.
class FactList : public QWidget {
    Q_OBJECT

public:
    using Facts = std::vector<std::pair<QString, QString>>;

    explicit FactList(QWidget* parent = nullptr);
    /// Hides this if @p facts is empty.
    void setFacts(const Facts& facts);

private:
    QGridLayout* grid_ = nullptr;
    Facts facts_;
};

} // namespace pollard::app
