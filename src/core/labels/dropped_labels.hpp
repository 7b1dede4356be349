// Elements that do not count, because of their label on one side, taken out of blocks of labels.
#pragma once

#include <cstddef>
#include <optional>

namespace concordant {

template <class Word>
struct DroppedLabels {
    std::optional<Word> u, v;

    bool any() const { return u || v; }

    // Moves the labels of the elements that count to the front, and says how many these are. A label is always
    // written, and kept if the element counts: no branch to mispredict.
    std::size_t take_out(Word* u_label, Word* v_label, std::size_t count) const {
        const Word u_out = u.value_or(0), v_out = v.value_or(0);
        const bool u_any = u.has_value(), v_any = v.has_value();
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Word u_here = u_label[i], v_here = v_label[i];
            u_label[kept] = u_here;
            v_label[kept] = v_here;
            const bool is_out = (u_any & (u_here == u_out)) | (v_any & (v_here == v_out));
            kept += is_out ? 0 : 1;
        }
        return kept;
    }
};

}  // namespace concordant
