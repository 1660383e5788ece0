#pragma once

#include <QString>
#include <QWidget>

#include <utility>
#include <vector>

class QGridLayout;

namespace pollard::app {

/// Rows of a name and a text that can be selected; as many as there are to tell.
class FactList : public QWidget {
    Q_OBJECT

public:
    using Facts = std::vector<std::pair<QString, QString>>;

    explicit FactList(QWidget* parent = nullptr);
    /// Hidden if there are none.
    void setFacts(const Facts& facts);

private:
    QGridLayout* grid_ = nullptr;
    Facts facts_;
};

} // namespace pollard::app
