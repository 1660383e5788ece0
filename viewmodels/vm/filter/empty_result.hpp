#pragma once

#include "filter/filter_spec.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <optional>

namespace pollard::vm {

class DocumentViewModel;
class FilterViewModel;

/// The reason for an empty result: a filter that removes everything, or the residue of a filter that removes nothing.
/// Lasts until the filter or the image changes, or until dismiss(). Numbers of components come from
/// CriteriaModel::kept(), which counts on its own thread.
class EmptyResult : public QObject {
    Q_OBJECT

public:
    /// @param document,filter must outlive this
    EmptyResult(DocumentViewModel& document, FilterViewModel& filter, QObject* parent = nullptr);

    [[nodiscard]] bool isNoticed() const noexcept { return !text_.isEmpty(); }
    /// "The filter removes everything: elongation <= 3 alone removes 1,204 of 1,310 components"; empty without a
    /// notice.
    [[nodiscard]] QString text() const { return text_; }
    /// The criterion that turnOff() turns off; empty if it is the only criterion, or no single criterion is the reason.
    [[nodiscard]] QString criterion() const;

public slots:
    /// Turns off the criterion that removes most, and filters.
    void turnOff();
    /// Ends this notice.
    void dismiss();

signals:
    void changed();

private:
    /// Row of the criterion that removes most, or to which the rule owes the empty result.
    struct Cause {
        int row = 0;
        std::uint64_t kept = 0;
        bool atRoot = false; ///< the root does not meet it, so that its rule prunes everything

        bool operator==(const Cause&) const = default;
    };
    void refresh();
    void set(const QString& text, std::optional<Cause> cause);
    [[nodiscard]] std::optional<Cause> find() const;
    [[nodiscard]] QString reason(const std::optional<Cause>& cause) const;
    [[nodiscard]] bool removesEverything() const;
    /// The criterion takes part in the filter.
    [[nodiscard]] bool isEffective(int row) const;
    [[nodiscard]] int effectiveCount() const;

    DocumentViewModel& document_;
    FilterViewModel& filter_;
    FilterSpec dismissed_; ///< the filter whose notice was ended
    bool isDismissed_ = false;
    QString text_;
    std::optional<Cause> cause_;
};

} // namespace pollard::vm
