#pragma once

#include "vm/base/analysis.hpp"
#include "vm/base/async_result.hpp"
#include "vm/document/document_view_model.hpp"

#include "attributes/attribute.hpp"

#include <QString>

#include <memory>

namespace pollard::vm {

/// An analysis of the present tree by the areas of its components and another attribute. Attributes come from the
/// document; the result is computed on a thread of this object from constant data, so that a filter being dragged does
/// not wait.
template <class Result> class AttributeAnalysis : public Analysis {
public:
    using State = AsyncState;

    [[nodiscard]] State state() const noexcept { return result_.state(); }
    [[nodiscard]] bool rests() const override { return state() != State::computing; }
    [[nodiscard]] QString problem() const { return result_.problem(); }

protected:
    using Column = std::shared_ptr<const AttributeColumn>;

    /// @param document must outlive this
    AttributeAnalysis(DocumentViewModel& document, QObject* parent) : Analysis(parent), document_(document) {
        connect(&document_, &DocumentViewModel::treeChanged, this, [this] {
            result_.clear(); // the displayed one is of another tree
            update();
        });
        connect(&document_, &DocumentViewModel::attributeReady, this, [this](AttributeId id) {
            if (result_.awaitsInput() && (id == measured() || id == AttributeId::area)) {
                post();
            }
        });
    }

    /// Computes the result again.
    void update() {
        result_.stop();
        if (!isActive()) {
            return;
        }
        if (!document_.tree()) {
            result_.clear();
            return;
        }
        result_.begin(canStay() ? result_.value() : nullptr);
        post();
    }

    DocumentViewModel& document_;
    AsyncResult<Result> result_{[this] { onResult(); }};

private:
    /// The other attribute.
    [[nodiscard]] virtual AttributeId measured() const = 0;
    /// Whether the present result may be displayed until the next one is there.
    [[nodiscard]] virtual bool canStay() const = 0;
    virtual void compute(const Column& area, const Column& column) = 0;
    virtual void onResult() { emit changed(); }

    void onActive() override {
        if (isActive()) {
            update();
        }
    }
    void post() {
        const Column area = document_.attribute(AttributeId::area);
        const Column column = document_.attribute(measured());
        if (area && column) {
            compute(area, column);
        } else {
            document_.requestAttribute(column ? AttributeId::area : measured());
        }
    }
};

} // namespace pollard::vm
