#pragma once

#include "json/json_members.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// One description per record of a JSON file, from which it is both read and written. A record is a list of fields with
/// key, member and kind. A kind reads a member, `read(json, place, member)`, and has `write(member)` unless JSON has
/// the member's type. Reading throws Error(invalidArgument) naming place and value.
namespace pollard::json {

using Read = nlohmann::json;
using Written = nlohmann::ordered_json; ///< keys in the order in which they are written

inline constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
inline constexpr int kAnyVersion = std::numeric_limits<int>::max();

struct Flag {
    void read(const Read& json, const JsonPlace& place, bool& member) const { member = flagIn(json, place); }
};

struct Number {
    void read(const Read& json, const JsonPlace& place, double& member) const { member = numberIn(json, place); }
};

/// A text of one line.
struct Line {
    std::size_t maxBytes = 1000;

    void read(const Read& json, const JsonPlace& place, std::string& member) const {
        member = lineIn(json, place, maxBytes);
    }
};

struct Whole {
    std::uint64_t smallest = 0;
    std::uint64_t largest = kMost;

    template <class T> void read(const Read& json, const JsonPlace& place, T& member) const {
        member = static_cast<T>(wholeIn(json, place, smallest, largest));
    }
};

/// A list of whole numbers.
struct WholeList {
    std::uint64_t largest;

    void read(const Read& json, const JsonPlace& place, std::vector<std::uint32_t>& member) const {
        member = wholesIn(json, place, largest);
    }
};

[[nodiscard]] inline bool isAscending(const std::vector<std::uint32_t>& numbers) {
    return std::ranges::adjacent_find(numbers, std::greater_equal<>()) == numbers.end();
}

/// One of @ref values by its name.
template <class Values, class Name> struct Named {
    Values values;
    Name name;

    template <class T> void read(const Read& json, const JsonPlace& place, T& member) const {
        member = static_cast<T>(namedIn(values, name, json, place));
    }
    template <class T> [[nodiscard]] Written write(const T& member) const { return name(member); }
};
struct NameOf {
    template <class T> [[nodiscard]] std::string_view operator()(T value) const { return nameOf(value); }
};
template <class Values, class Name = NameOf> constexpr auto named(const Values& values, Name name = {}) {
    return Named<Values, Name>{values, name};
}

/// Names of the values 0, 1, ... of an enumeration.
template <std::size_t N> struct Names {
    std::array<std::string_view, N> names;

    template <class T> void read(const Read& json, const JsonPlace& place, T& member) const {
        const std::string_view found = namedIn(names, std::identity{}, json, place);
        member = static_cast<T>(std::ranges::find(names, found) - names.begin());
    }
    template <class T> [[nodiscard]] Written write(const T& member) const {
        return names[static_cast<std::size_t>(member)];
    }
};
template <class... Texts> constexpr auto names(Texts... texts) { return Names<sizeof...(Texts)>{{texts...}}; }

template <class Kind, class T> [[nodiscard]] Written written(const Kind& kind, const T& member) {
    if constexpr (requires { kind.write(member); }) {
        return kind.write(member);
    } else {
        return member;
    }
}

template <class Kind> struct List {
    Kind kind;
    std::size_t maxCount;
    bool mayBeEmpty;

    template <class T> void read(const Read& json, const JsonPlace& place, std::vector<T>& member) const {
        const Read& values = listIn(json, place, maxCount);
        member.clear();
        member.reserve(values.size());
        for (const Read& value : values) {
            T each{};
            kind.read(value, place.at(member.size()), each);
            member.push_back(std::move(each));
        }
        if (member.empty() && !mayBeEmpty) {
            place.fail("expected one at least");
        }
    }
    /// Pairs of a map; if several have the same key, the first one counts.
    template <class K, class T> void read(const Read& json, const JsonPlace& place, std::map<K, T>& member) const {
        std::vector<std::pair<K, T>> pairs;
        read(json, place, pairs);
        member.insert(std::make_move_iterator(pairs.begin()), std::make_move_iterator(pairs.end()));
    }
    template <class Values> [[nodiscard]] Written write(const Values& member) const {
        Written list = Written::array();
        for (const auto& each : member) {
            list.push_back(written(kind, each));
        }
        return list;
    }
};
template <class Kind> constexpr auto listOf(Kind kind, std::size_t maxCount, bool mayBeEmpty = true) {
    return List<Kind>{kind, maxCount, mayBeEmpty};
}

/// The value of a std::optional.
template <class Kind> struct OptionalValue {
    Kind kind;
    bool orNull; ///< null if there is none; else the field is left out

    template <class T> void read(const Read& json, const JsonPlace& place, std::optional<T>& member) const {
        if (orNull && json.is_null()) {
            member.reset();
            return;
        }
        T value{};
        kind.read(json, place, value);
        member = std::move(value);
    }
    template <class T> [[nodiscard]] Written write(const std::optional<T>& member) const {
        return member ? written(kind, *member) : Written(nullptr);
    }
};
template <class Kind> constexpr auto optionalOf(Kind kind) { return OptionalValue<Kind>{kind, false}; }
template <class Kind> constexpr auto orNull(Kind kind) { return OptionalValue<Kind>{kind, true}; }

/// A kind with a condition: `check(member, json, place)` after reading.
template <class Kind, class Check> struct Checked {
    Kind kind;
    Check check;

    template <class T> void read(const Read& json, const JsonPlace& place, T& member) const {
        kind.read(json, place, member);
        check(member, json, place);
    }
    template <class T> [[nodiscard]] Written write(const T& member) const { return written(kind, member); }
};
template <class Kind, class Check> constexpr auto checked(Kind kind, Check check) {
    return Checked<Kind, Check>{kind, check};
}

/// A field type whose limits depend on earlier fields; @ref make creates it from the owner.
template <class Kind, class Make> struct Dependent {
    Kind kind; ///< with the widest limits
    Make make;

    template <class T> [[nodiscard]] Written write(const T& member) const { return written(kind, member); }
};
template <class Kind, class Make> constexpr auto dependent(Kind kind, Make make) {
    return Dependent<Kind, Make>{kind, make};
}

/// A field with its own functions: `T reads(json, place)` or `reads(json, place, T&)`, and `writes(T)`.
template <class Reads, class Writes> struct CustomValue {
    Reads reads;
    Writes writes;

    template <class T> void read(const Read& json, const JsonPlace& place, T& member) const {
        if constexpr (std::is_invocable_v<Reads, const Read&, const JsonPlace&, T&>) {
            reads(json, place, member);
        } else {
            member = reads(json, place);
        }
    }
    template <class T> [[nodiscard]] Written write(const T& member) const { return writes(member); }
};
template <class Reads, class Writes> constexpr auto custom(Reads reads, Writes writes) {
    return CustomValue<Reads, Writes>{reads, writes};
}

enum class Presence : std::uint8_t {
    required,
    optional, ///< has its default if it is missing; always written
    omitted,  ///< as optional, but not written if it has its default
};

struct Always {
    template <class Owner> constexpr bool operator()(const Owner& /*owner*/) const { return true; }
};

template <class Access, class Kind, class When = Always> struct Field {
    const char* key;
    Access access; ///< std::identity for a kind that uses several members of the owner
    Kind kind;
    When when{};
    const char* whyNot = nullptr;
    Presence presence = Presence::required;
    int version = 1;
    bool isLate = false;

    [[nodiscard]] constexpr Field as(Presence other) const {
        Field field = *this;
        field.presence = other;
        return field;
    }
    [[nodiscard]] constexpr Field optional() const { return as(Presence::optional); }
    [[nodiscard]] constexpr Field omitted() const { return as(Presence::omitted); }
    /// A field that exists since this version.
    [[nodiscard]] constexpr Field since(int first) const {
        Field field = *this;
        field.version = first;
        return field;
    }
    /// A field that is read after all others, because it depends on later ones.
    [[nodiscard]] constexpr Field late() const {
        Field field = *this;
        field.isLate = true;
        return field;
    }
    /// A field that is written for some owners only. @param why message if it is read for other owners
    template <class Predicate> [[nodiscard]] constexpr auto onlyIf(Predicate holds, const char* why = nullptr) const {
        return Field<Access, Kind, Predicate>{key, access, kind, holds, why, presence, version, isLate};
    }

    template <class Owner> void take(JsonMembers& members, Owner& owner, int known, bool late) const {
        if (isLate != late || version > known) {
            return;
        }
        const bool applies = whyNot == nullptr || when(owner);
        const Read* const json = applies && presence == Presence::required ? &members.get(key) : members.find(key);
        if (json == nullptr) {
            return;
        }
        if (!applies) {
            members.at(key).fail(whyNot);
        }
        if constexpr (requires { kind.make(owner); }) {
            kind.make(owner).read(*json, members.at(key), access(owner));
        } else {
            kind.read(*json, members.at(key), access(owner));
        }
    }
    template <class Owner> void put(Written& json, const Owner& owner, int known) const {
        if (when(owner) && ((presence != Presence::omitted && version <= known) || !isDefault(owner))) {
            json[key] = written(kind, access(owner));
        }
    }
    template <class Owner> [[nodiscard]] bool has(const Owner& owner, int first) const {
        return version == first && !isDefault(owner);
    }
    void require(JsonMembers& members) const {
        if (presence != Presence::omitted) {
            (void)members.get(key);
        }
    }

private:
    template <class Owner> [[nodiscard]] bool isDefault(const Owner& owner) const {
        static const auto kDefault =
            std::make_unique<const Owner>(); // g++ 12 warns wrongly about the members of a local
        return access(owner) == access(*kDefault);
    }
};
/// @param access pointer to a member or function of the owner
template <class Access, class Kind> constexpr auto field(const char* key, Access access, Kind kind) {
    if constexpr (std::is_member_pointer_v<Access>) {
        const auto member = [access](auto& owner) -> auto& { return owner.*access; };
        return Field<decltype(member), Kind>{key, member, kind};
    } else {
        return Field<Access, Kind>{key, access, kind};
    }
}

/// The fields of a member, written among the fields of its owner.
template <class Owner, class Member, class Inner> struct Part {
    Member Owner::*member;
    Inner record;

    void take(JsonMembers& members, Owner& owner, int known, bool late) const {
        record.take(members, owner.*member, known, late);
    }
    void put(Written& json, const Owner& owner, int known) const { record.put(json, owner.*member, known); }
    [[nodiscard]] bool has(const Owner& owner, int first) const { return record.has(owner.*member, first); }
    void require(JsonMembers& members) const { record.require(members); }
};
template <class Owner, class Member, class Inner> constexpr auto part(Member Owner::*member, Inner record) {
    return Part<Owner, Member, Inner>{member, record};
}

/// The fields of a T in the order in which they are written.
template <class T, class... Fields> class Record {
public:
    explicit constexpr Record(Fields... fields) : fields_(fields...) {}

    /// A record that does not know later fields: it does not read them, and writes them only if they differ from their
    /// default.
    [[nodiscard]] constexpr Record known(int version) const {
        Record record = *this;
        record.known_ = version;
        return record;
    }
    /// A record in which only omitted() fields may be missing.
    [[nodiscard]] constexpr Record complete() const {
        Record record = *this;
        record.complete_ = true;
        return record;
    }

    void read(const Read& json, const JsonPlace& place, T& value) const {
        JsonMembers members(json, place);
        take(members, value);
        members.requireNoOthers();
    }
    void take(JsonMembers& members, T& value) const {
        if (complete_) {
            require(members);
        }
        take(members, value, known_, false);
        take(members, value, known_, true);
    }
    [[nodiscard]] Written write(const T& value) const {
        Written json = Written::object();
        put(json, value, known_);
        return json;
    }
    void put(Written& json, const T& value) const { put(json, value, known_); }
    /// Whether a field of exactly this version differs from its default.
    [[nodiscard]] bool has(const T& value, int version) const {
        return std::apply([&](const Fields&... each) { return (each.has(value, version) || ...); }, fields_);
    }

    void take(JsonMembers& members, T& value, int known, bool late) const {
        std::apply([&](const Fields&... each) { (each.take(members, value, known, late), ...); }, fields_);
    }
    void put(Written& json, const T& value, int known) const {
        std::apply([&](const Fields&... each) { (each.put(json, value, known), ...); }, fields_);
    }
    void require(JsonMembers& members) const {
        std::apply([&](const Fields&... each) { (each.require(members), ...); }, fields_);
    }
    [[nodiscard]] constexpr const std::tuple<Fields...>& fields() const { return fields_; }
    [[nodiscard]] constexpr int knownVersion() const { return known_; }
    [[nodiscard]] constexpr bool isComplete() const { return complete_; }

private:
    std::tuple<Fields...> fields_;
    int known_ = kAnyVersion;
    bool complete_ = false;
};
template <class T, class... Fields> constexpr auto record(Fields... fields) { return Record<T, Fields...>(fields...); }

} // namespace pollard::json
