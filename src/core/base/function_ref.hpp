// A reference to a function or lambda of any type, so its caller is compiled once and not for each of them.
#pragma once

#include <memory>
#include <type_traits>

namespace concordant {

template <class Signature>
class FunctionRef;

// Refers to the callable only during the call that it is passed to. One indirect call: for tasks and blocks, not for
// single elements.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
public:
    template <class Callable>
        requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef>)
    FunctionRef(Callable&& callable)  // NOLINT: implicit, so lambdas are passed as they are
        : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
          call_([](void* object, Arguments... arguments) -> Result {
              return (*static_cast<std::remove_reference_t<Callable>*>(object))(arguments...);
          }) {}

    Result operator()(Arguments... arguments) const { return call_(object_, arguments...); }

private:
    void* object_;
    Result (*call_)(void*, Arguments...);
};

}  // namespace concordant
